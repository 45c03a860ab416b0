import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { openOrm, type Orm } from '../../../src/database/orm.ts';
import { rebuildLedger } from '../../../src/jobs/ledger/rebuild.ts';
import { type Arena, openArena } from '../../support/arena.ts';
import { insertHistory } from '../../support/many-rows.ts';
import { explainStatements, rowsLookedAt } from '../explained-statements.ts';

const [AGENTS, ROUNDS] = [3, 600];
/** A plan reads each score a few times; each of an agent's rounds beside each other would be 360,000 rows an agent. */
const MOST = 4 * AGENTS * ROUNDS;

let arena: Arena;
let orm: Orm;

beforeAll(async () => {
  arena = await openArena();
  await insertHistory(arena.newEm(), { agents: AGENTS, rounds: ROUNDS });
  await explainStatements(arena);
  orm = await openOrm(arena.connection);
});

afterAll(async () => {
  await orm.close(true);
  await arena.close();
});

test('a rebuild of the ledger does not compare an agent’s rounds with each other', async () => {
  await arena.query('update platform set sums_due = true, newest_resolved_end = (select max(end_time) from rounds)');
  const parts = await rowsLookedAt(() =>
    rebuildLedger(
      () => orm.em.fork(),
      () => {},
    ),
  );
  expect(await arena.query('select alltime_competitions as n from standings')).toEqual(
    Array.from({ length: AGENTS }, () => ({ n: ROUNDS })),
  );
  expect(Math.max(...parts.map(({ rows }) => rows))).toBeGreaterThanOrEqual(AGENTS * ROUNDS);
  expect(parts.filter(({ rows }) => rows > MOST)).toEqual([]);
});
