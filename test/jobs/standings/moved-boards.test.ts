import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { applyOutcome, applyVoid } from '../../../src/jobs/apply-outcome.ts';
import { orderBoards } from '../../../src/jobs/after/ordered-boards.ts';
import { addAgents, type Arena, only, openArena } from '../../support/arena.ts';
import { endOf, insertRound, NO_CANDLES } from '../inserted-round.ts';
import { type PlannedRound, randomHistory } from '../random-history.ts';

let arena: Arena;

beforeAll(async () => {
  arena = await openArena();
});

afterAll(() => arena.close());

/** Of 20 agents 3 have a place and 6 are known: who falls leaves a board that does not reach far enough now and then. */
const SIZES = { kept: 3, known: 6 };
/** The 54th comes after a gap of a day. */
const ROUNDS = 60;

async function decide({ hour, decidedInHour, choices, predictions, answer }: PlannedRound): Promise<void> {
  const round = await insertRound(arena, { hour, choices, predictions });
  const ruled = { ...NO_CANDLES, now: endOf(decidedInHour) };
  if (answer === null) await applyVoid(arena.newEm(), round, { ...ruled, reason: 'tie' });
  else await applyOutcome(arena.newEm(), round, { ...ruled, answer });
}

const order = (): Promise<void> => orderBoards({ newEm: arena.newEm, isStopped: () => false, sizes: SIZES });

interface Made {
  readonly boards: readonly object[];
  readonly skilled: object;
  readonly tested: number;
  readonly likely: readonly (readonly [number, number])[];
}

async function made(): Promise<Made> {
  const boards = await arena.query('select * from ordered_boards order by period, order_by, min_rounds');
  const { likely, ...rest } = await only<Omit<Made, 'boards'>>(
    arena,
    'select skilled, tested, likely from platform cross join board_candidates',
  );
  return { boards, ...rest, likely: likely.toSorted(([one], [other]) => one - other) };
}

/** The same from a look at everybody. */
async function madeOfAll(): Promise<Made> {
  await arena.query('delete from board_candidates');
  await arena.query('update platform set ordered_rounds = ordered_rounds - 1');
  await order();
  return made();
}

/** How many boards of so many places are known that have more. */
const knownOf = (places: number): Promise<{ n: number }> =>
  only(
    arena,
    `select count(*)::int as n from board_candidates, jsonb_array_elements(boards) b
     where jsonb_array_length(b -> 'agents') = $1 and b ->> 'floor' is not null`,
    [places],
  );

test('boards, ranks and who is skilled follow from those who have moved as from a look at everybody', async () => {
  const { agentCount, rounds } = randomHistory(20_261_122);
  await addAgents(arena, agentCount);
  let shorter = 0;
  let named = 0;
  for (const [place, round] of rounds.slice(0, ROUNDS).entries()) {
    await decide(round);
    // Now and then several rounds are made up for at once.
    if (place < 15 || (place % 3 === 1 && !round.checked)) continue;
    await order();
    shorter += (await knownOf(SIZES.known - 1)).n + (await knownOf(SIZES.kept)).n;
    if (place % 8 !== 0 && !round.checked) continue;
    const found = await made();
    expect(found).toEqual(await madeOfAll());
    named = found.likely.length;
  }
  expect(shorter).toBeGreaterThan(20);
  expect(named).toBeGreaterThan(2);
});

test('a state to which a version before has added is made of everybody, and nothing is kept of it', async () => {
  await arena.query('update platform set sums_kept_at = null, ordered_rounds = ordered_rounds - 1');
  await order();
  expect(await arena.query('select id from board_candidates')).toEqual([]);
});
