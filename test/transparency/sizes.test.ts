import { expect, test } from '@jest/globals';

import { reconcile } from '../../src/jobs/cycle/round-cycle.ts';
import { addHours } from '../../src/rules/hours.ts';
import { addAgents } from '../support/arena.ts';
import { sharedArena } from '../support/shared.ts';
import { expectWhole } from './log-oracle.ts';

const AGENTS = 70_000;
const START = new Date('2026-01-01T12:00:00Z');
const arena = sharedArena();

/** Opens the hour's round, adds its predictions by a statement, and closes it. */
async function playRound(hour: number, entries: number): Promise<void> {
  const start = addHours(START, hour);
  await reconcile(arena, start);
  await arena.query(
    `insert into predictions (round_id, agent_id, prediction, confidence, submitted_at)
     select r.id, a.id, r.choices ->> 0, a.id % 101, r.start_time + a.id * interval '7 milliseconds'
     from rounds r, agents a where r.status = 'active' and a.id <= $1 order by a.id desc`,
    [entries],
  );
  await arena.query(`update rounds set total_entries = $1 where status = 'active'`, [entries]);
  await reconcile(arena, addHours(start, 1));
}

test.each([
  // With the leaf of the epoch and those of the rounds: 255, 256 and 257 leaves, and one more after each.
  { entries: [253, 0] },
  { entries: [254, 0, 1] },
  { entries: [255, 1] },
  { entries: [0, 1, 300] },
  { entries: [509, 0, 65_023, 0, 255] },
  { entries: [70_000, 300, 0] },
  { entries: [16_384, 16_385] },
])('rounds of $entries predictions have the tree of their leaves', async ({ entries }) => {
  const [{ n } = { n: 0 }] = await arena.query<{ n: number }>('select count(*)::int as n from agents');
  if (n === 0) await addAgents(arena, AGENTS);
  for (const [hour, count] of entries.entries()) {
    await playRound(hour, count);
    if (count < 1000 && hour < entries.length - 1) await expectWhole(arena.query);
  }
  const { size } = await expectWhole(arena.query);
  expect(size).toBe(1 + entries.reduce((sum, count) => sum + count + 1, 0));
});
