import type { IncomingMessage } from 'node:http';

/** Keys are longer and begin with their own prefix, so a key is never logged as an id. */
const WELL_FORMED = /^(?!.*pk_live)[A-Za-z0-9._-]{1,64}$/;

export function requestIds(randomBytes: (count: number) => Buffer): (request: IncomingMessage) => string {
  const process = randomBytes(6).toString('hex');
  let count = 0;
  return ({ headers }) => {
    const offered = headers['x-request-id'];
    if (typeof offered === 'string' && WELL_FORMED.test(offered)) return offered;
    count += 1;
    return `${process}-${count.toString(36)}`;
  };
}
