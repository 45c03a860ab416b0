import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { ASSETS } from '../../src/rules/assets.ts';
import { toDecimal } from '../../src/rules/fraction.ts';
import { pnlUsd, scoreOf, streakBonus } from '../../src/rules/scoring.ts';
import { arenaPointsFor, byPlace } from '../../src/rules/ranking.ts';
import { brierTerm, referenceBrierTerm } from '../../src/rules/brier.ts';
import { Replay } from '../oracle/replay.ts';
import { insertDecided } from './inserted-round.ts';
import { insertStandings } from './inserted-standings.ts';
import { sharedArena } from '../support/shared.ts';

const AGENTS = 200;
const arena = sharedArena(AGENTS);

interface Entrant {
  readonly agentId: number;
  readonly pick: number;
  readonly confidence: number;
  readonly afterMs: number;
  /** Wins in a row before this round; null: the first round. */
  readonly streak: number | null;
}

const entrant = fc.record({
  agentId: fc.integer({ min: 1, max: AGENTS }),
  pick: fc.nat(7),
  // Many of the same, so that the order of places has ties to break.
  confidence: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constantFrom(0, 12, 49, 50, 79, 80, 100)),
  afterMs: fc.nat(3),
  streak: fc.option(fc.integer({ min: 0, max: 25 })),
});

const round = fc.record({
  choiceCount: fc.constantFrom(2, 4, 8),
  entrants: fc.uniqueArray(entrant, {
    selector: ({ agentId }) => agentId,
    minLength: 0,
    maxLength: AGENTS,
    size: 'max',
  }),
});

/** What the rules say of the round whose first choice wins; ids follow the order of submission. */
function expectedScores(entrants: readonly Entrant[], choiceCount: number) {
  return entrants
    .map(({ agentId, pick, confidence, afterMs, streak }, place) => {
      const correct = pick % choiceCount === 0;
      const submittedAt = new Date(afterMs);
      return { id: place, agentId, correct, confidence, submittedAt, score: scoreOf(confidence, correct), streak };
    })
    .toSorted(byPlace)
    .map(({ agentId, correct, confidence, score, streak }, index) => ({
      agent_id: agentId,
      is_correct: correct,
      score,
      streak_bonus: correct ? streakBonus((streak ?? 0) + 1) : 0,
      place: index + 1,
      arena_points: arenaPointsFor(index + 1),
      pnl_usd: Number(pnlUsd(confidence, choiceCount, correct)),
      brier: Number(toDecimal(brierTerm(confidence, correct))),
      reference_brier: Number(toDecimal(referenceBrierTerm(choiceCount, correct))),
    }));
}

test('the statement writes the scores of the rules for random rounds', async () => {
  await fc.assert(
    fc.asyncProperty(round, async ({ choiceCount, entrants }) => {
      await arena.reset();
      await insertStandings(
        arena,
        entrants.flatMap(({ agentId, streak }) =>
          streak === null ? [] : [{ agent_id: agentId, current_streak: streak, best_streak: 30 }],
        ),
      );
      const choices = ASSETS.slice(0, choiceCount);
      const predictions = entrants.map((one) => ({ ...one, prediction: choices[one.pick % choiceCount] ?? '' }));
      await insertDecided(arena, { hour: 0, choices, predictions }, { answer: 'BTC' });
      const scores = await arena.query(
        `select agent_id, is_correct, score, streak_bonus, place, arena_points, pnl_usd::float, brier::float,
           reference_brier::float from scores order by place`,
      );
      expect(scores).toEqual(expectedScores(entrants, choiceCount));
    }),
    { numRuns: 30 },
  );
});

test('every confidence is scored as by the oracle in rounds of 2, 4 and 8 answers', async () => {
  const replay = new Replay(arena.query);
  for (const [hour, choiceCount] of [2, 4, 8].entries()) {
    const choices = ASSETS.slice(0, choiceCount);
    const predictions = Array.from({ length: 101 }, (_, confidence) => ({
      agentId: confidence + 1,
      prediction: choices[(confidence + hour) % 2] ?? '',
      confidence,
    }));
    for (const [later, answer] of choices.slice(0, 2).entries()) {
      const { id } = await insertDecided(arena, { hour: 2 * hour + later, choices, predictions }, { answer });
      expect(await replay.book(id)).toEqual([]);
    }
  }
  expect(await arena.query('select from scores')).toHaveLength(6 * 101);
});
