import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the system's ports of outgoing connections, so none of them takes it while a service is stopped. */
const FIRST = 10_000;
const LAST = 31_999;

/** Counts from a random port: several services that start at once get different free ports. */
let last = FIRST + Math.floor(Math.random() * (LAST - FIRST));

/** A free port that stays free between a kill and the next start. */
export async function fixedPort(): Promise<number> {
  for (;;) {
    last = last < LAST ? last + 1 : FIRST;
    const port = last;
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = once(server, 'listening').then(
    () => true,
    () => false,
  );
  server.listen(port, '127.0.0.1');
  if (!(await listening)) return false;
  server.close();
  await once(server, 'close');
  return true;
}
