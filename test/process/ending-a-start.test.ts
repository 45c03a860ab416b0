import { expect, test } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { ADVISORY_LOCKS } from '../../src/entities/advisory-locks.ts';
import { listening } from '../support/listening.ts';
import { until } from '../support/poll.ts';
import { dataFolder } from '../support/data-folder.ts';
import { begin, endOf } from '../support/process.ts';
import { processDatabase } from '../support/process-database.ts';

/** Takes connections and says nothing. */
async function silentDatabase() {
  const server = await listening(createServer((socket) => socket.on('error', () => {})));
  return { ...server, url: `postgresql://ann:open-sesame@127.0.0.1:${server.port}/arena` };
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends a start that waits for a silent database, with code 0',
  async (signal) => {
    await using database = await silentDatabase();
    const { child, ended, written } = begin({ DATABASE_URL: database.url });
    await written(/Waiting for the database to answer/);
    child.kill(signal);
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  },
);

test('a database that stays silent ends the start with one sentence', async () => {
  await using database = await silentDatabase();
  const { code, stdout, stderr } = await endOf({ DATABASE_URL: database.url });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^\{.+"msg":"Waiting for the database to answer"\}\n$/);
  expect(stderr).toBe('The database of DATABASE_URL cannot be used: timeout expired\n');
});

test('a start that waits for another reports which one, and ends at a signal', async () => {
  await using database = await processDatabase();
  const { client: other, settings } = database;
  await other.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.starts]);
  const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
  const { child, ended, written } = begin(settings);
  const [line] = await written(/.*Waiting for another process that starts on this database.*/);
  expect(JSON.parse(line)).toMatchObject({ level: 'warn', session: rows[0]?.pid });
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0, stderr: '' });

  const next = begin(settings);
  await next.written(/Waiting for another process/);
  await other.query('select pg_advisory_unlock($1)', [ADVISORY_LOCKS.starts]);
  await next.written(/Hourcast listens on/);
  next.child.kill('SIGTERM');
  expect(await next.ended).toMatchObject({ code: 0, stderr: '' });
});

test('a signal during the creation of PostgreSQL ends everything, and the next start continues', async () => {
  await using folder = await dataFolder();
  const { child, ended } = begin({ DATA_DIR: folder.path });
  await until('PostgreSQL is being made', () => existsSync(folder.path) && readdirSync(folder.path).length > 0);
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(join(folder.path, 'postgres', 'postmaster.pid'))).toBe(false);

  const next = begin({ DATA_DIR: folder.path });
  await next.written(/Hourcast listens on/);
  next.child.kill('SIGTERM');
  expect(await next.ended).toMatchObject({ code: 0, stderr: '' });
});
