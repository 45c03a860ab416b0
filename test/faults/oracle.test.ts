import { beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';

import { playBets } from '../support/outcomes.ts';
import { type Player, registerMany } from '../support/agents.ts';
import { FORBIDDEN_CHANGES, UNDECIDED } from './forbidden-changes.ts';
import { type Accepted, memory } from './memory.ts';
import { differencesIn } from './oracle.ts';
import type { Uptime } from '../support/service-process.ts';
import { shared, sharedDatabase, sharedService } from '../support/shared.ts';

const HOURS = 6;

const database = sharedDatabase();
const service = sharedService(() => ({ database }));
const client = shared(async (closing) => {
  const opened = new Client(database.connection);
  closing.defer(() => opened.end());
  await opened.connect();
  return opened;
});
const kept = memory();
let received: string[];
let uptimes: Uptime[];

beforeAll(async () => {
  const players = await registerMany(service, 'agent', 3);
  kept.registered.push(...players.map(({ id, name }) => ({ id, name })));
  // The service's clock has its anchor where real and service time are the same.
  const from = service.clock.now().getTime();
  for (let hour = 0; hour < HOURS; hour += 1) await playHour(players, hour);
  uptimes = [{ from, to: service.clock.now().getTime() }];
  const lines = await ask<{ line: string }>(
    `select seq || ' ' || kind || ' ' || round_id as line from events order by seq`,
  );
  received = lines.map(({ line }) => line);
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
    const subscribers = [{ name: 'the subscriber', received, faults: [] }];
    return await differencesIn(ask, { memory: kept, subscribers, uptimes });
  } finally {
    await client.query('rollback');
  }
}

test('the oracle finds no difference in the service’s run', async () => {
  expect(kept.accepted.size).toBe(3 * HOURS);
  expect(await differencesAfter('select 1')).toEqual([]);
});

test.each(FORBIDDEN_CHANGES)('the oracle finds %s', async (_what, sql, line) => {
  expect(await differencesAfter(sql)).toContainEqual(expect.stringMatching(line));
});

test('the oracle finds a round that waits too long while the service is up', async () => {
  const past = [{ from: service.clock.now().getTime() - 60_000, to: null }];
  await client.query('begin');
  await client.query('set local session_replication_role = replica');
  await client.query(`update rounds set ${UNDECIDED} where id = 6`);
  const named = await differencesIn(ask, { memory: kept, uptimes: past });
  await client.query('rollback');
  expect(named).toContainEqual(expect.stringMatching(/^round 6: is resolving more than 20000 ms/));
});

test('the oracle lists differences of answers and subscribers', async () => {
  const surprised = { ...kept, surprises: ['a 500'] };
  const subscribers = [{ name: 'deaf', received: [], faults: ['deaf hears 3 after 1'] }];
  expect(await differencesIn(ask, { memory: surprised, subscribers })).toEqual(['a 500', 'deaf hears 3 after 1']);
});

test('a prediction whose answer was lost can exist', async () => {
  const [last] = [...kept.accepted.values()].slice(-1);
  if (last === undefined) throw new Error('There is no prediction');
  const without = new Map(kept.accepted);
  without.delete(last.id);
  const differences = await differencesIn(ask, { memory: { ...kept, accepted: without } });
  expect(differences).toEqual([expect.stringMatching(`^prediction ${last.id}: stored .+ nobody`)]);
  const unanswered = new Map([[`${last.agentId} in ${last.roundId}`, { ...last, attempts: 1 }]]);
  expect(await differencesIn(ask, { memory: { ...kept, accepted: without, unanswered } })).toEqual([]);
});
