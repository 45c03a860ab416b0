import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { openOrm, type Orm } from '../../../src/database/orm.ts';
import { rebuildLedger } from '../../../src/jobs/ledger/rebuild.ts';
import { type Arena, openArena } from '../../support/arena.ts';
import { insertHistory } from '../../support/many-rows.ts';
import { explainStatements, rowsLookedAt } from '../explained-statements.ts';
import { insertDecided } from '../inserted-round.ts';

const [AGENTS, ROUNDS] = [3, 600];
/** A plan reads each score a few times; each of an agent's rounds beside each other would be 360,000 rows an agent. */
const MOST = 4 * AGENTS * ROUNDS;

let arena: Arena;
let orm: Orm;
const newEm = (): SqlEntityManager => orm.em.fork();

beforeAll(async () => {
  arena = await openArena();
  await insertHistory(arena.newEm(), { agents: AGENTS, rounds: ROUNDS });
  await arena.query('update platform set sums_due = true, newest_resolved_end = (select max(end_time) from rounds)');
  await explainStatements(arena);
  orm = await openOrm(arena.connection);
});

afterAll(async () => {
  await orm.close(true);
  await arena.close();
});

async function roundsOfAgents(window: string): Promise<readonly unknown[]> {
  return (await arena.query<{ n: number }>(`select ${window}_competitions as n from standings order by agent_id`)).map(
    ({ n }) => n,
  );
}

test('a rebuild of the ledger does not compare an agent’s rounds with each other', async () => {
  const parts = await rowsLookedAt(() => rebuildLedger(newEm, () => {}));
  expect(await roundsOfAgents('monthly')).toEqual([ROUNDS, ROUNDS, ROUNDS]);
  expect(Math.max(...parts.map(({ rows }) => rows))).toBeGreaterThanOrEqual(AGENTS * ROUNDS);
  expect(parts.filter(({ rows }) => rows > MOST)).toEqual([]);
});

test('rounds that leave all windows after a long pause are not compared with each other', async () => {
  const round = { hour: 0, predictions: [{ agentId: 1, confidence: 60 }] };
  const parts = await rowsLookedAt(() => insertDecided({ ...arena, newEm }, round, { answer: 'YES' }));
  expect(await roundsOfAgents('monthly')).toEqual([1, 0, 0]);
  expect(Math.max(...parts.map(({ rows }) => rows))).toBeGreaterThanOrEqual(AGENTS * ROUNDS);
  expect(parts.filter(({ rows }) => rows > MOST)).toEqual([]);
});
