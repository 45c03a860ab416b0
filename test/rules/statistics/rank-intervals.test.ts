import { describe, expect, test } from '@jest/globals';
import jstat from 'jstat';

import { REPLICATES, type RoundFigures } from '../../../src/rules/statistics/rank-intervals.ts';
import { uniforms } from '../../../src/rules/statistics/special-functions.ts';
import { rankIntervals } from '../../support/rank-intervals.ts';
import { seeded } from '../../support/seeded.ts';

const ROUNDS = 200;
const RESAMPLING = { seed: 4711, rounds: ROUNDS, replicates: REPLICATES };

/** P(N <= k) of a Poisson of mean 1. */
const POISSON = Array.from({ length: 12 }, (_, count) => jstat.poisson.cdf(count, 1));

/** An agent that predicted every round and got `figure` of each. */
function agent(figure: (round: number) => number): RoundFigures {
  const rounds = Array.from({ length: ROUNDS }, (_, round) => round);
  return { rounds, figures: rounds.map(figure), divisors: null };
}

const meanOf = (one: RoundFigures): RoundFigures => ({ ...one, divisors: one.rounds.map(() => 1) });

describe('rank intervals', () => {
  test('rank intervals of distant agents are their ranks, without ties', () => {
    const board = [3, 2, 1].map((figure) => agent(() => figure));
    expect(rankIntervals(board, RESAMPLING)).toEqual([
      { low: 1, high: 1, tied: false },
      { low: 2, high: 2, tied: false },
      { low: 3, high: 3, tied: false },
    ]);
  });

  test('rank intervals of agents with the same rounds depend only on their differences', () => {
    const random = seeded(3);
    const shared = Array.from({ length: ROUNDS }, () => random.between(-50, 110));
    const board = [agent((round) => (shared[round] ?? 0) + 1), agent((round) => shared[round] ?? 0)];
    expect(rankIntervals(board, RESAMPLING)).toEqual([
      { low: 1, high: 1, tied: false },
      { low: 2, high: 2, tied: false },
    ]);
  });

  test('rank intervals of equally good agents span the board', () => {
    const random = seeded(8);
    const board = Array.from({ length: 5 }, () => agent(() => random.between(-50, 110)));
    const totals = board.map(({ figures }) => figures.reduce((sum, figure) => sum + figure, 0));
    const ordered = board.toSorted(
      (left, right) => (totals[board.indexOf(right)] ?? 0) - (totals[board.indexOf(left)] ?? 0),
    );
    for (const { low, high } of rankIntervals(ordered, RESAMPLING)) expect(high - low).toBeGreaterThanOrEqual(2);
    expect(
      rankIntervals(ordered, RESAMPLING)
        .slice(1)
        .some(({ tied }) => tied),
    ).toBe(true);
  });

  test('rank intervals are the same for the same seed, for means as for sums', () => {
    const random = seeded(21);
    const board = Array.from({ length: 4 }, () => agent(() => random.next()));
    expect(rankIntervals(board, RESAMPLING)).toEqual(rankIntervals(board, RESAMPLING));
    expect(rankIntervals(board.map(meanOf), RESAMPLING)).toEqual(rankIntervals(board, RESAMPLING));
  });

  test('rank intervals agree with an independent bootstrap', () => {
    const random = seeded(77);
    const board = Array.from({ length: 4 }, () => meanOf(agent(() => random.next() - 0.5)));
    const next = uniforms(RESAMPLING.seed);
    const ranks = board.map((): number[] => []);
    for (let replicate = 0; replicate < REPLICATES; replicate += 1) {
      const times = Array.from({ length: ROUNDS }, () => {
        const drawn = next();
        let count = 0;
        while ((POISSON[count] ?? 1) <= drawn) count += 1;
        return count;
      });
      const means = board.map(({ figures }) => {
        const drawn = figures.flatMap((figure, round) => Array.from({ length: times[round] ?? 0 }, () => figure));
        return drawn.reduce((sum, figure) => sum + figure, 0) / drawn.length;
      });
      means.forEach((mean, place) => ranks[place]?.push(1 + means.filter((other) => other > mean).length));
    }
    const expected = ranks.map((seen) => {
      const sorted = seen.toSorted((left, right) => left - right);
      return [sorted[25], sorted[974]];
    });
    expect(rankIntervals(board, RESAMPLING).map(({ low, high }) => [low, high])).toEqual(expected);
  });

  test('the rank interval of an agent without counted rounds is the last rank', () => {
    const absent = { rounds: [], figures: [], divisors: [] };
    expect(rankIntervals([meanOf(agent(() => 1)), absent], RESAMPLING)[1]).toEqual({
      low: 2,
      high: 2,
      tied: false,
    });
  });
});
