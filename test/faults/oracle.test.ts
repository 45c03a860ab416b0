import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';

import { playBets } from '../support/outcomes.ts';
import { type Player, registerMany } from '../support/agents.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Accepted, memory, type Memory } from './memory.ts';
import { differencesIn } from './oracle.ts';
import type { Uptime } from '../support/service-process.ts';

const HOURS = 6;
const UNDECIDED = `status = 'resolving', outcome = null, resolution_value = null, decided_at = null`;

let database: TestDatabase;
let service: TestService;
let client: Client;
let kept: Memory;
let heard: string[];
let uptimes: Uptime[];

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({ database });
  const players = await registerMany(service, 'agent', 3);
  kept = memory();
  kept.registered.push(...players.map(({ id, name }) => ({ id, name })));
  // The service's clock has its anchor where real and service time are the same.
  const from = service.clock.now().getTime();
  for (let hour = 0; hour < HOURS; hour += 1) await playHour(players, hour);
  uptimes = [{ from, to: service.clock.now().getTime() }];
  client = new Client(database.connection);
  await client.connect();
  heard = (
    await ask<{ line: string }>(`select seq || ' ' || kind || ' ' || round_id as line from events order by seq`)
  ).map(({ line }) => line);
});

afterAll(async () => {
  await client.end();
  await service.stop();
  await database.drop();
});

/** The first agent is always right, the second always wrong, the third in turn. */
async function playHour(players: readonly Player[], hour: number): Promise<void> {
  const right = [true, false, hour % 2 === 0];
  const round = await playBets(
    service,
    players.map((player, index) => ({ player, right: right[index] === true, confidence: 30 * index + 10 + hour })),
  );
  const { body } = await service.request('GET', `/api/rounds/${round.id}/entries`);
  for (const entry of body.entries) {
    const agentId = players.find(({ name }) => name === entry.agent_name)?.id ?? 0;
    const { id, prediction, confidence, submitted_at: submittedAt } = entry;
    const accepted: Accepted = { id, agentId, roundId: round.id, prediction, confidence, submittedAt };
    const answer = { ...accepted, agent_id: agentId, round_id: round.id, submitted_at: submittedAt };
    kept.begin(accepted)({ status: 201, body: { prediction: answer }, latencyMs: 1 });
  }
  await service.nextHour();
}

async function ask<Row extends object>(sql: string, parameters: readonly unknown[] = []): Promise<readonly Row[]> {
  const { rows } = await client.query(sql, [...parameters]);
  return rows;
}

/** What the oracle says of a database in which `sql` was done against all rules. */
async function differencesAfter(sql: string): Promise<readonly string[]> {
  await client.query('begin');
  try {
    // Neither foreign keys nor triggers stand in the way.
    await client.query('set local session_replication_role = replica');
    await client.query(sql);
    const subscribers = [{ name: 'the subscriber', heard, faults: [] }];
    return await differencesIn(ask, { memory: kept, subscribers, uptimes });
  } finally {
    await client.query('rollback');
  }
}

test('the oracle has nothing against what the service has done', async () => {
  expect(kept.accepted.size).toBe(3 * HOURS);
  expect(await differencesAfter('select 1')).toEqual([]);
});

test.each([
  ['a lost prediction', 'delete from predictions where id = 5', /^prediction 5: answered .+, stored undefined$/],
  ['a changed one', 'update predictions set confidence = 99 where id = 5', /^prediction 5: answered .+10.+99/s],
  [
    'a moved one',
    `update predictions set submitted_at = submitted_at - interval '1 second' where id = 5`,
    /^prediction 5:/,
  ],
  [
    'one that nobody made',
    `insert into predictions values (1, 99, 9999, 'BTC', 5, now())`,
    /^prediction 9999: stored .+nobody/,
  ],
  ['a lost agent', 'delete from agents where id = 2', /^agent 2: answered agent-2, stored undefined$/],
  [
    'a lost score',
    'delete from scores where round_id = 2 and agent_id = 1',
    /^number of scores of round 2 \(resolved\): stored 2, expected 3$/,
  ],
  [
    'a wrong score',
    'update scores set score = 41 where round_id = 2 and agent_id = 1',
    /^score of agent 1 in round 2: stored 1 41\+0 .+, expected 1 40\+0/,
  ],
  [
    'a wrong streak bonus',
    'update scores set streak_bonus = 5 where round_id = 2 and agent_id = 1',
    /^score of agent 1 in round 2: stored 1 40\+5/,
  ],
  [
    'a wrong place',
    'update scores set place = 9 where round_id = 2 and agent_id = 1',
    /^score of agent 1 in round 2: .+ place 9 /,
  ],
  [
    'a wrong P&L',
    'update scores set pnl_usd = 0.01 where round_id = 2 and agent_id = 1',
    /^score of agent 1 in round 2: .+ cents 1, /,
  ],
  [
    'a wrong Brier score',
    'update scores set brier = 0.5 where round_id = 2 and agent_id = 1',
    /^Brier score, reference of agent 1 in round 2: stored 0.5000/,
  ],
  [
    'a score of a round that is not resolved',
    `update rounds set ${UNDECIDED} where id = 3`,
    /^number of scores of round 3 \(resolving\): stored 3, expected 0$/,
  ],
  [
    'a wrong total',
    'update standings set alltime_points = alltime_points + 1 where agent_id = 3',
    /^standings.alltime_points of agent 3: stored \d+, expected \d+$/,
  ],
  [
    'a wrong window',
    'update standings set daily_wins = 0 where agent_id = 1',
    /^standings.daily_wins of agent 1: stored 0, expected 6$/,
  ],
  ['a lost standing', 'delete from standings where agent_id = 2', /^standings.alltime_points of agent 2: stored null/],
  [
    'a wrong streak',
    'update standings set current_streak = 5 where agent_id = 1',
    /^streak and tier of agent 1: stored 5, best 6, bronze, expected 6/,
  ],
  [
    'a wrong tier',
    `update standings set tier = 'gold' where agent_id = 1`,
    /^streak and tier of agent 1: stored 6, best 6, gold/,
  ],
  [
    'a wrong rank',
    `update board_places set rank = 3 where period = 'weekly' and position = 1`,
    /^agent and rank on the weekly board of position 1: stored 1 with 3, expected 1 with 1$/,
  ],
  [
    'a lost rank',
    `update board_counts set agents = 0 where period = 'monthly'`,
    /^rank in the monthly window of \d+ points: stored null, expected 1$/,
  ],
  [
    'a wrong count of entries',
    'update rounds set total_entries = 4 where id = 2',
    /^total_entries, confidence_sum of round 2: stored 4, \d+, expected 3, \d+$/,
  ],
  [
    'a wrong count of rounds',
    'update platform set resolved_rounds = 7',
    /^platform.resolved_rounds of the platform: stored 7, expected 6$/,
  ],
  [
    'a wrong count of predictions',
    'update platform set decided_predictions = 1',
    /^platform.decided_predictions .+ stored 1, expected 18$/,
  ],
  [
    'a wrong tally of a round',
    'update round_tallies set n = 2 where round_id = 1',
    /^round_tallies.n of round 1: .+: stored 2, expected 1$/,
  ],
  [
    'a wrong tally of the field',
    `update field_tallies set weekly_n = 3, monthly_n = 3, alltime_n = 3 where asset = '*'`,
    /^field_tallies.weekly_n over all assets of .+: stored 3, expected 1$/,
  ],
  [
    'a gap in the events',
    'delete from events where seq = 9',
    /^the seq after each seq of event 8: stored 10, expected 9$/,
  ],
  [
    'events that were forgotten too early',
    'delete from events where seq < 5',
    /^the oldest event, .+: stored 5, expected 1$/,
  ],
  [
    'a counter that runs ahead',
    'update platform set last_seq = last_seq + 1',
    /^platform.last_seq of the platform: stored \d+, expected \d+$/,
  ],
  [
    'a round decided twice',
    `update events set kind = 'ROUND_RESOLVED' where round_id = 2 and kind = 'ROUND_CLOSED'`,
    /^number of ROUND_RESOLVED events of round 2 \(resolved\): stored 2, expected 1$/,
  ],
  [
    'a round decided without a word',
    `update events set kind = 'TIER_CHANGED' where round_id = 2 and kind = 'ROUND_RESOLVED'`,
    /^number of ROUND_RESOLVED events of round 2 \(resolved\): stored 0, expected 1$/,
  ],
  [
    'rounds decided in another order than that of their hours',
    `update events e set seq = 1000000 + o.seq from events o where o.round_id = case e.round_id when 2 then 3 else 2 end
      and e.kind = 'ROUND_RESOLVED' and o.kind = e.kind and e.round_id in (2, 3)`,
    /^the order of decisions, which is that of the hours of round 2: stored decided after round \d+/,
  ],
  [
    'another event than was heard',
    `update events set kind = 'TIER_CHANGED' where seq = 7`,
    /^the subscriber: heard 7 .+, stored 7 TIER_CHANGED/,
  ],
  ['a missing hour', 'delete from rounds where id = 4', /^hour 2026-01-01T15:00:00.000Z: no round/],
])('the oracle names %s', async (_what, sql, line) => {
  expect(await differencesAfter(sql)).toContainEqual(expect.stringMatching(line));
});

test('the oracle names a round that waits for too long while the service is up', async () => {
  const past = [{ from: service.clock.now().getTime() - 60_000, to: null }];
  await client.query('begin');
  await client.query('set local session_replication_role = replica');
  await client.query(`update rounds set ${UNDECIDED} where id = 6`);
  const named = await differencesIn(ask, { memory: kept, uptimes: past });
  await client.query('rollback');
  expect(named).toContainEqual(expect.stringMatching(/^round 6: is resolving more than 20000 ms/));
});

test('what the oracle has against answers and subscribers is in its list', async () => {
  const surprised = { ...kept, surprises: ['a 500'] };
  const subscribers = [{ name: 'deaf', heard: [], faults: ['deaf hears 3 after 1'] }];
  expect(await differencesIn(ask, { memory: surprised, subscribers })).toEqual(['a 500', 'deaf hears 3 after 1']);
});

test('a prediction whose answer was lost may stand', async () => {
  const [last] = [...kept.accepted.values()].slice(-1);
  if (last === undefined) throw new Error('There is no prediction');
  const without = new Map(kept.accepted);
  without.delete(last.id);
  const told = await differencesIn(ask, { memory: { ...kept, accepted: without } });
  expect(told).toEqual([expect.stringMatching(`^prediction ${last.id}: stored .+ nobody`)]);
  const unanswered = new Map([[`${last.agentId} in ${last.roundId}`, { ...last, attempts: 1 }]]);
  expect(await differencesIn(ask, { memory: { ...kept, accepted: without, unanswered } })).toEqual([]);
});
