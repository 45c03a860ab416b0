import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';

import { openPool, type TimedPool } from '../../src/database/timed-pool.ts';
import { DeadlineExceeded } from '../../src/deadline.ts';
import { until } from '../support/poll.ts';

/** Accepts a login, and sends nothing after it. */
const WELCOME = Buffer.from([...Buffer.from('R'), 0, 0, 0, 8, 0, 0, 0, 0, ...Buffer.from('Z'), 0, 0, 0, 5, 0x49]);
/** Length and version of the protocol. */
const STARTUP_HEAD = 8;

let server: Server;
let pool: TimedPool;
let first: Buffer;
let port: number;

beforeEach(async () => {
  server = createServer((socket) => {
    socket.once('data', (message) => {
      first = Buffer.from(message);
      socket.write(WELCOME);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const named = { user: 'hourcast', database: 'arena', fallback_application_name: 'hourcast 1 of 12' };
  pool = openPool({ host: '127.0.0.1', port, ...named }, 1, { statementMs: 1_000, byIndex: true });
});

afterEach(async () => {
  await pool.end();
  server.close();
});

test('a connection that never gets its settings is given up, without a parameter that PgBouncer refuses', async () => {
  const taken = pool.take(Infinity).then((client) => client.release());
  await expect(taken).rejects.toThrow(DeadlineExceeded);
  const words = first.toString('utf8', STARTUP_HEAD).split('\0');
  const names = words.filter((_, place) => place % 2 === 0 && words[place] !== '');
  expect(names.toSorted()).toEqual(['application_name', 'client_encoding', 'database', 'user']);
  expect(pool.use()).toEqual({ inUse: 0, idle: 0, waiting: 0 });
});

/** The rest of the line of the pool's connection: state, queues, kind and time of its timer. */
async function clientSide(): Promise<RegExpExecArray | null> {
  const remote = port.toString(16).toUpperCase().padStart(4, '0');
  return new RegExp(String.raw`0100007F:${remote} 01 \S+ (\d+):(\w+)`).exec(await readFile('/proc/net/tcp', 'utf8'));
}

const KEEP_ALIVE_TIMER = '02';

(process.platform === 'linux' ? test : test.skip)(
  'the system probes a silent connection after ten seconds',
  async () => {
    const taken = pool.take(Infinity).then((client) => client.release());
    const hundredths = await until('a silent connection', async () => {
      const [, timer, time = ''] = (await clientSide()) ?? [];
      return timer === KEEP_ALIVE_TIMER && Number.parseInt(time, 16);
    });
    expect(hundredths).toBeGreaterThan(0);
    expect(hundredths).toBeLessThanOrEqual(1_000);
    await expect(taken).rejects.toThrow(DeadlineExceeded);
  },
);
