import type { Backplane } from '../../../src/backplane/backplane.ts';
import { readRedisUrl } from '../../../src/backplane/redis/address.ts';
import { openRedisBackplane } from '../../../src/backplane/redis/backplane.ts';

let processes = 0;

/** A backplane in the Redis at `url`, as another process of a service would have it. */
export async function redisParts(url: string, messages: { push(message: string): unknown } = []): Promise<Backplane> {
  const address = readRedisUrl(url);
  if (address === null) throw new Error(`No address of Redis: ${url}`);
  processes += 1;
  return openRedisBackplane(address, {
    processId: `process-${processes}`,
    report: (error) => messages.push(error.message),
    warn: (message) => messages.push(message),
  });
}
