import { expect, test } from '@jest/globals';
import { sql } from 'kysely';

import { simulatedMarket } from '../../src/market/simulated/simulated.ts';
import { statementsDuring } from '../resolvers/analysts/counted-statements.ts';
import { type Player, predict, registerMany } from '../support/agents.ts';
import { eventSource } from '../support/event-source.ts';
import { startService, type TestService } from '../support/service.ts';
import { shared, sharedDatabase } from '../support/shared.ts';
import { receive, socketClient } from '../support/socket-client.ts';
import { endOfLog, EVENTS, type Seen } from '../support/written-events.ts';

/*
 * A restore moves ids and numbers of events far ahead (src/backup/restore.ts): nothing may take longer for the numbers that
 * nothing has.
 */

const AHEAD = 1_000_000;
const AHEAD_OF_PREDICTIONS = 1_000_000_000_000;
const AGENTS = 3;
const HOURS = 2;
/** Of so few rows: the pages of a list, and what fills up the minutes of quotes. */
const MOST_STATEMENTS = 20;

const database = sharedDatabase();
const restored = shared(async (closing) => {
  const before = await startService({ database, prices: simulatedMarket(), start: '2026-01-01T20:05:00Z' });
  const players = await registerMany(before, 'player', AGENTS);
  await play(before, players);
  const last = await endOfLog(before);
  await moveAhead(before);
  const start = before.clock.now().toISOString();
  await before.stop();
  const intervals = { heartbeatMs: 20 };
  const service = await startService({ database, prices: simulatedMarket(), start, intervals });
  closing.defer(() => service.stop());
  return { service, players, last };
});

async function play(service: TestService, players: readonly Player[]): Promise<void> {
  for (let hour = 0; hour < HOURS; hour += 1) {
    for (const player of players) expect((await predict(service, player, { rationale: 'It rises.' })).status).toBe(201);
    await service.nextHour();
  }
}

async function moveAhead({ newEm }: TestService): Promise<void> {
  const kysely = newEm().getKysely();
  const { rows } = await sql<{ name: string }>`
    select sequencename as name from pg_sequences where schemaname = current_schema()`.execute(kysely);
  for (const { name } of rows) {
    const ahead = name === 'predictions_id_seq' ? AHEAD_OF_PREDICTIONS : AHEAD;
    await sql`select setval(${name}::regclass, ${ahead}::int8)`.execute(kysely);
  }
  await sql`update platform set last_seq = last_seq + ${AHEAD}::int`.execute(kysely);
}

test('a stream and a WebSocket that resume after the backup’s last event wait for the next one', async () => {
  const { service, last } = restored;
  using source = eventSource(`${service.url}/api/events?after=${last}`);
  await using received = receive<Seen>(socketClient(service.url), EVENTS, { after: last });
  await source.until((all) => all.some(({ seq }) => seq === last + AHEAD));
  await received.first(1);
  await service.nextHour();
  const next = last + AHEAD + 1;
  await source.until((all) => all.some(({ seq, kind }) => seq === next && kind !== 'HEARTBEAT'));
  await received.until((all) => all.some(({ data }) => data?.events.seq === next && data.events.kind !== 'HEARTBEAT'));
});

test.each([
  { list: 'predictions', rows: 2 * AGENTS * HOURS },
  { list: 'rationales', rows: 2 * AGENTS * HOURS },
  { list: 'rounds' },
  { list: 'candles' },
  { list: 'quotes' },
  { list: 'references' },
  { list: 'evidence' },
])('the export of $list needs no statements for unused ids', async ({ list, rows }) => {
  const { service, players } = restored;
  if ((await lines(service, 'predictions')).length < 2 * AGENTS * HOURS) await play(service, players);
  let all: readonly Line[] = [];
  const statements = await statementsDuring(async () => {
    all = await lines(service, list);
  });
  expect(statements.length).toBeLessThanOrEqual(MOST_STATEMENTS);
  const ids = all.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((left, right) => left - right));
  expect(Math.max(...ids)).toBeGreaterThan(AHEAD);
  if (rows !== undefined) expect(all).toHaveLength(rows);
  const [middle = 0] = ids.slice(ids.length / 2);
  expect(await lines(service, list, `after=${middle}`)).toEqual(all.filter(({ id }) => id > middle));
});

interface Line {
  readonly id: number;
}

async function lines({ url }: TestService, list: string, query = ''): Promise<readonly Line[]> {
  const text = await (await fetch(`${url}/api/export/${list}.ndjson?${query}`)).text();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line): Line => JSON.parse(line));
}
