import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { applyOutcome } from '../../src/jobs/apply-outcome.ts';
import { toDecimal } from '../../src/rules/fraction.ts';
import { pnlUsd, scoreOf, streakBonus } from '../../src/rules/scoring.ts';
import { arenaPointsFor, byPlace } from '../../src/rules/ranking.ts';
import { brierTerm, referenceBrierTerm } from '../../src/rules/calibration.ts';
import { addAgents, type Arena, openArena } from '../support/arena.ts';
import { endOf, insertRound, NO_CANDLES } from './inserted-round.ts';
import { insertStandings } from './inserted-standings.ts';

let arena: Arena;

const AGENTS = 200;

beforeAll(async () => {
  arena = await openArena();
  await addAgents(arena, AGENTS);
});

afterAll(() => arena.close());

const CHOICES = ['BTC', 'ETH', 'SOL', 'AVAX', 'DOGE', 'ADA', 'LINK', 'DOT'];

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

test('what the statement writes is what the rules say, of every prediction of random rounds', async () => {
  await fc.assert(
    fc.asyncProperty(round, async ({ choiceCount, entrants }) => {
      await arena.reset();
      await insertStandings(
        arena,
        entrants.flatMap(({ agentId, streak }) =>
          streak === null ? [] : [{ agent_id: agentId, current_streak: streak, best_streak: 30 }],
        ),
      );
      const choices = CHOICES.slice(0, choiceCount);
      const inserted = await insertRound(arena, {
        hour: 0,
        choices,
        predictions: entrants.map((one) => ({ ...one, prediction: choices[one.pick % choiceCount] ?? '' })),
      });
      await applyOutcome(arena.newEm(), inserted, { ...NO_CANDLES, now: endOf(0), answer: 'BTC' });
      const scores = await arena.query(
        `select agent_id, is_correct, score, streak_bonus, place, arena_points, pnl_usd::float, brier::float,
           reference_brier::float from scores order by place`,
      );
      expect(scores).toEqual(expectedScores(entrants, choiceCount));
    }),
    { numRuns: 30 },
  );
});

test('every confidence is scored exactly as the rules say, right and wrong, in rounds of 2, 4 and 8 answers', async () => {
  await arena.reset();
  for (const [hour, choiceCount] of [2, 4, 8].entries()) {
    const choices = CHOICES.slice(0, choiceCount);
    const predictions = Array.from({ length: 101 }, (_, confidence) => ({
      agentId: confidence + 1,
      prediction: choices[(confidence + hour) % 2] ?? '',
      confidence,
      afterMs: 0,
    }));
    const inserted = await insertRound(arena, { hour, choices, predictions });
    const decision = { ...NO_CANDLES, now: endOf(hour), answer: choices[1] ?? '' };
    await applyOutcome(arena.newEm(), inserted, decision);
    const scores = await arena.query<{ agent_id: number; is_correct: boolean; score: number; pnl_usd: string }>(
      'select agent_id, is_correct, score, pnl_usd from scores where round_id = $1 order by agent_id',
      [inserted.id],
    );
    expect(scores).toEqual(
      predictions.map(({ agentId, prediction, confidence }) => {
        const correct = prediction === choices[1];
        return {
          agent_id: agentId,
          is_correct: correct,
          score: scoreOf(confidence, correct),
          pnl_usd: pnlUsd(confidence, choiceCount, correct),
        };
      }),
    );
  }
});
