import { text } from 'node:stream/consumers';
import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';

import { until } from '../support/poll.ts';
import { startService, type TestService } from '../support/service.ts';
import { insertHistory } from '../support/many-rows.ts';

const AGENTS = 100;
const ROUNDS = 500;
const ALL = AGENTS * ROUNDS;
const PATH = '/api/export/predictions.ndjson';
const NOTHING = `${PATH}?to=1999-01-01`;

let service: TestService;
beforeAll(async () => {
  service = await startService({ trustProxy: 'loopback' });
  await insertHistory(service.newEm(), { agents: AGENTS, rounds: ROUNDS });
});
afterAll(() => service.stop());

/** The nth address that clients here come from. */
const from = (n: number) => ({ 'x-forwarded-for': `10.0.0.${n}` });

/** A client that reads nothing of the body. */
async function stalledReader(address = 1, path = PATH, at = service): Promise<IncomingMessage> {
  const request = get(at.url + path, { headers: from(address) });
  const [response] = await once(request, 'response');
  response.on('error', () => undefined);
  return response;
}

async function statusFor(address: number): Promise<number> {
  return (await service.request('GET', NOTHING, { headers: from(address) })).status;
}

/** Sessions of the database, beside the one that asks, that hold a view of the tables or work on an export. */
async function holding(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and (backend_xmin is not null or (state <> 'idle' and query ~ 'lead_seconds'))`.execute(
    service.newEm().getKysely(),
  );
  return rows[0]?.count ?? 0;
}

/** What was reported but that a busy machine took long to open a connection to the database. */
function faults(): unknown[] {
  return service.reported.filter((error) => !String(error).includes('connection timeout'));
}

describe('clients that stop reading', () => {
  test('a stalled reader occupies no connection or snapshot, and blocks nobody', async () => {
    const readers = await Promise.all([1, 2, 3, 4].map((address) => stalledReader(address)));
    await until('no view is held', async () => (await holding()) === 0);
    // A busy machine may take long to open a connection: 503 then, and the next one is answered.
    await until('an export to somebody else', async () => (await statusFor(5)) === 200);
    await until('the board', async () => (await service.request('GET', '/api/leaderboard')).status === 200);
    for (const reader of readers) reader.destroy();
    await until('room again', async () => (await statusFor(1)) === 200);
    expect(faults()).toEqual([]);
  });

  test('an address has one export at a time, and a closed connection frees it', async () => {
    const reader = await stalledReader(1);
    const { status, body, headers } = await service.request('GET', PATH, { headers: from(1) });
    expect({ status, body, retryAfter: headers.get('retry-after') }).toEqual({
      status: 429,
      body: {
        error:
          'An export to this address is already running, and the limit is 1 at a time; end it or wait for it to end.',
        code: 'export_running',
        retry_after: 10,
      },
      retryAfter: '10',
    });
    reader.destroy();
    await until('room for another', async () => (await statusFor(1)) === 200);
  });

  test('exports have a maximum in all', async () => {
    const addresses = Array.from({ length: 20 }, (_, n) => n + 1);
    const readers = await Promise.all(addresses.map((address) => stalledReader(address)));
    expect(readers.map(({ statusCode }) => statusCode)).toEqual(readers.map(() => 200));
    const { status, body } = await service.request('GET', PATH, { headers: from(99) });
    expect({ status, body }).toEqual({
      status: 503,
      body: {
        error: 'All 20 exports that may run at once are running; try again soon.',
        code: 'unavailable',
        retry_after: 10,
      },
    });
    for (const reader of readers) reader.destroy();
    await until('room for another', async () => (await statusFor(99)) === 200);
  });
});

test('clients that disconnect before their answer leave nothing behind', async () => {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const request = get(service.url + PATH, { headers: from(1) });
    request.on('error', () => undefined);
    await once(request, 'finish');
    for (let turns = 0; turns < attempt * 20; turns += 1) await new Promise(setImmediate);
    request.destroy();
  }
  await until('room for another', async () => (await statusFor(1)) === 200);
  await until('no view is held', async () => (await holding()) === 0);
  expect(faults()).toEqual([]);
});

test('an export that the database cancels is broken off after a whole line and reported, not completed', async () => {
  const reader = await stalledReader();
  const database = service.newEm().getKysely();
  await sql`alter table scores rename to scores_away`.execute(database);
  const received: string[] = [];
  const reading = async () => {
    for await (const piece of reader.setEncoding('utf8')) received.push(piece);
  };
  await expect(reading()).rejects.toThrow('aborted');
  expect(received.join('')).toMatch(/\}\n$/);
  await sql`alter table scores_away rename to scores`.execute(database);
  await until('the report', () => faults().length === 1);
  expect(String(faults()[0])).toContain('scores');
  service.reported.length = 0;
});

test('an export ends at the newest row of its start, whatever is added', async () => {
  const reader = await stalledReader();
  await sql`insert into predictions (round_id, agent_id, prediction, confidence, submitted_at)
    select 1, id, 'YES', 50, now() from agents`.execute(service.newEm().getKysely());
  expect((await text(reader)).split('\n')).toHaveLength(ALL + 1);
});

interface Part {
  readonly body: string;
  readonly isWhole: boolean;
}

/** What an export gives, to its end or until it is broken off. */
async function partOf(url: string): Promise<Part> {
  let body = '';
  // Listened to from the first: a stream that is aborted drops what it still holds.
  const request = get(url, (response) => void response.on('data', (chunk) => (body += String(chunk))));
  const [response]: IncomingMessage[] = await once(request, 'response');
  response?.on('error', () => undefined);
  if (response?.closed === false) await new Promise((resolve) => response.once('close', resolve));
  return { body, isWhole: response?.complete === true };
}

describe('export over its time limit', () => {
  let hurried: TestService;
  beforeAll(async () => {
    hurried = await startService({ exporting: { longestMs: 0 } });
    await insertHistory(hurried.newEm(), { agents: AGENTS, rounds: 40 });
  });
  afterAll(() => hurried.stop());

  test.each(['ndjson', 'csv'])(
    'an export as %s over its limit ends after a whole line, incomplete, and continues by `after`',
    async (format) => {
      const lines: string[] = [];
      let after = 0;
      for (let isWhole = false; !isWhole;) {
        const part = await partOf(`${hurried.url}/api/export/predictions.${format}?after=${after}`);
        expect(part.body).toMatch(/\n$|^$/);
        const rows = part.body
          .split(/\r?\n/)
          .filter(Boolean)
          .slice(format === 'csv' ? 1 : 0);
        lines.push(...rows);
        after = Number(/\d+/.exec(rows.at(-1) ?? '')?.[0] ?? after);
        ({ isWhole } = part);
      }
      const ids = lines.map((line) => Number(/\d+/.exec(line)?.[0]));
      expect(ids).toEqual(Array.from({ length: AGENTS * 40 }, (_, n) => n + 1));
      expect(hurried.reported).toEqual([]);
    },
  );
});
