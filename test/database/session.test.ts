import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

import { openPool, type TimedPool } from '../../src/database/timed-pool.ts';
import { DeadlineExceeded } from '../../src/deadline.ts';

/** Accepts a login, and sends nothing after it. */
const WELCOME = Buffer.from([...Buffer.from('R'), 0, 0, 0, 8, 0, 0, 0, 0, ...Buffer.from('Z'), 0, 0, 0, 5, 0x49]);
/** Length and version of the protocol. */
const STARTUP_HEAD = 8;

let server: Server;
let pool: TimedPool;
let first: Buffer;

beforeEach(async () => {
  server = createServer((socket) => {
    socket.once('data', (message) => {
      first = Buffer.from(message);
      socket.write(WELCOME);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
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
