import { text } from 'node:stream/consumers';
import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';

import { EXPORT_LIMITS } from '../../src/limits.ts';
import { until } from '../jobs/until.ts';
import { startService, type TestService } from '../support/service.ts';
import { insertHistory } from './many-rows.ts';

const PATH = '/api/export/predictions.ndjson';

let service: TestService;
beforeAll(async () => {
  service = await startService();
  await insertHistory(service.newEm(), { agents: 100, rounds: 500 });
}, 60_000);
afterAll(() => service.stop());

/** A client that reads nothing of the body. */
async function stalledReader(): Promise<IncomingMessage> {
  const request = get(service.url + PATH);
  const [response] = await once(request, 'response');
  response.on('error', () => undefined);
  return response;
}

/** Sessions of the database that are in the middle of an export. */
const EXPORTING = sql`datname = current_database() and state <> 'idle' and query ~ '^(declare|fetch).* export_rows'`;

async function openCursors(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where ${EXPORTING}`.execute(service.newEm().getKysely());
  return rows[0]?.count ?? 0;
}

describe('a client that stops reading', () => {
  test('holds the cursor, and its hanging up closes it', async () => {
    const reader = await stalledReader();
    expect(await openCursors()).toBe(1);
    reader.destroy();
    await until('the cursor closed', async () => (await openCursors()) === 0);
    expect(service.reported).toEqual([]);
  });

  test('keeps no place for ever: those who hang up make room', async () => {
    const readers = await Promise.all(Array.from({ length: EXPORT_LIMITS.atOnce }, stalledReader));
    expect(readers.map(({ statusCode }) => statusCode)).toEqual(readers.map(() => 200));
    const { status, body, headers } = await service.request('GET', PATH);
    expect({ status, body, retryAfter: headers.get('retry-after') }).toEqual({
      status: 503,
      body: { error: 'All 4 exports that may run at once are running; try again soon.' },
      retryAfter: '10',
    });
    for (const reader of readers) reader.destroy();
    await until('room for another', async () => (await fetch(`${service.url}${PATH}?to=1999-01-01`)).status === 200);
  });
});

test('clients that hang up before they have an answer leave nothing behind', async () => {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const request = get(service.url + PATH);
    request.on('error', () => undefined);
    await once(request, 'finish');
    for (let turns = 0; turns < attempt * 20; turns += 1) await new Promise(setImmediate);
    request.destroy();
  }
  await until('no cursor', async () => (await openCursors()) === 0);
  await until('room for another', async () => (await fetch(`${service.url}${PATH}?to=1999-01-01`)).status === 200);
  expect(service.reported).toEqual([]);
});

test('an export that the database breaks off ends broken, not as if it were whole, and is reported', async () => {
  const reader = await stalledReader();
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where ${EXPORTING}`.execute(
    service.newEm().getKysely(),
  );
  await expect(text(reader)).rejects.toThrow('aborted');
  await until('the report', () => service.reported.length === 1);
  service.reported.length = 0;
});

test('an export shows one moment: what is added meanwhile is not in it', async () => {
  const reader = await stalledReader();
  await sql`insert into predictions (round_id, agent_id, prediction, confidence, submitted_at)
    select 1, id, 'YES', 50, now() from agents`.execute(service.newEm().getKysely());
  expect((await text(reader)).split('\n')).toHaveLength(50_000 + 1);
});

test('the API answers while exports run', async () => {
  const readers = await Promise.all(Array.from({ length: EXPORT_LIMITS.atOnce }, stalledReader));
  const { status } = await service.request('GET', '/api/leaderboard');
  expect(status).toBe(200);
  for (const reader of readers) reader.destroy();
});
