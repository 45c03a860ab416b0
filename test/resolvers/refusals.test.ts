import { expect, test } from '@jest/globals';

import { refusalCounts } from '../../src/resolvers/refusals.ts';
import { openHour, timeIn } from '../jobs/standing-field.ts';
import { manualClock } from '../support/manual-clock.ts';
import { until } from '../support/poll.ts';
import { sharedArena } from '../support/shared.ts';

const arena = sharedArena(2);

test('two processes that count refusals of the same agents concurrently lose none', async () => {
  const roundId = await openHour(arena, 0);
  const clock = manualClock(timeIn(0, 60_000).toISOString());
  const count = (agents: readonly number[]) => {
    const { add } = refusalCounts(arena.statements, clock);
    return Promise.all(agents.map((agentId) => add({ agentId, roundId, reason: 'round_locked' })));
  };
  await count([1, 2]);
  // Whoever holds one of the rows lets the one process wait before the other begins.
  const counted = await arena.newEm().transactional(async (em) => {
    await em.execute('select from refusals where agent_id = 1 for update');
    const waiting = (many: number) =>
      until(`${many} wait`, async () => (await em.execute('select from pg_locks where not granted')).length === many);
    const one = count([1, 2]);
    await waiting(1);
    const other = count([2, 1]);
    await waiting(2);
    return { all: Promise.all([one, other]) };
  });
  await counted.all;
  expect(await arena.query('select agent_id as agent, refusals from refusals order by 1')).toEqual([
    { agent: 1, refusals: 3 },
    { agent: 2, refusals: 3 },
  ]);
});

test('a round id beyond any id counts for the running round, and so do the others of its batch', async () => {
  const roundId = await openHour(arena, 1);
  const { add } = refusalCounts(arena.statements, manualClock(timeIn(1, 60_000).toISOString()));
  const refusals = [3_000_000_000, roundId].map((id, at) => ({ agentId: at + 1, roundId: id, reason: 'round_locked' }));
  await Promise.all(refusals.map(add));
  expect(
    await arena.query(`select agent_id as agent, refusals from refusals where round_id = ${roundId} order by 1`),
  ).toEqual([
    { agent: 1, refusals: 1 },
    { agent: 2, refusals: 1 },
  ]);
});
