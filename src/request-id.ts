import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';

/** What a caller's id may look like. Keys are long and begin with words of their own: they are never taken for ids. */
const WELL_FORMED = /^(?!.*pk_live)[A-Za-z0-9._-]{1,64}$/;

const current = new AsyncLocalStorage<string>();

/** The id of the request that is being answered here, or undefined where none is. */
export function requestId(): string | undefined {
  return current.getStore();
}

/** Does `work` as part of the request `id`: what it logs carries the id. */
export function asRequest<T>(id: string, work: () => T): T {
  return current.run(id, work);
}

/** Gives each request an id: the caller's own where it is well-formed, or one that no other request has. */
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
