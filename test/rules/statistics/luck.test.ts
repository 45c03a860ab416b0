import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import jstat from 'jstat';

import { pnlUsd } from '../../../src/rules/scoring.ts';
import { luckOfPnl, luckOfWins, pnlChance } from '../../../src/rules/statistics/luck.ts';

describe('luck of wins', () => {
  test('the luck of wins equals the enumeration of all outcomes', () => {
    const few = fc.integer({ min: 0, max: 4 });
    fc.assert(
      fc.property(few, few, few, fc.nat(12), (twos, fours, eights, wins) => {
        const kinds = [
          { choiceCount: 2, n: twos },
          { choiceCount: 4, n: fours },
          { choiceCount: 8, n: eights },
        ];
        const chances = kinds.flatMap(({ choiceCount, n }) => Array.from({ length: n }, () => 1 / choiceCount));
        let [below, same] = [0, 0];
        for (let way = 0; way < 2 ** chances.length; way += 1) {
          const won = chances.map((_, round) => ((way >> round) & 1) === 1);
          const chance = chances.reduce((product, p, round) => product * (won[round] ? p : 1 - p), 1);
          const hits = won.filter(Boolean).length;
          if (hits < wins) below += chance;
          if (hits === wins) same += chance;
        }
        expect(luckOfWins(wins, kinds)).toBeCloseTo(below + same / 2, 10);
      }),
    );
  });

  test.each([24, 240, 720])('the luck of wins in %p even rounds equals that of jstat', (n) => {
    const spread = Math.round(Math.sqrt(n));
    for (const wins of [n / 2 - spread, n / 2, n / 2 + spread]) {
      const expected = jstat.binomial.cdf(wins - 1, n, 0.5) + jstat.binomial.pdf(wins, n, 0.5) / 2;
      expect(luckOfWins(wins, [{ choiceCount: 2, n }])).toBeCloseTo(expected, 9);
    }
  });

  test('the luck of wins in a whole year is nearly normal', () => {
    const rounds = [
      { choiceCount: 2, n: 6000 },
      { choiceCount: 4, n: 1000 },
      { choiceCount: 8, n: 1760 },
    ];
    const [mean, variance] = [3000 + 250 + 220, 1500 + 187.5 + 192.5];
    for (const wins of [mean - 80, mean - 20, mean, mean + 60]) {
      const expected = jstat.normal.cdf(wins, mean, Math.sqrt(variance));
      expect(Math.abs(luckOfWins(wins, rounds) - expected)).toBeLessThan(1e-3);
    }
  });

  test('the luck of wins is between 0 and 1, and even without rounds', () => {
    const rounds = [
      { choiceCount: 2, n: 600 },
      { choiceCount: 8, n: 400 },
    ];
    expect(luckOfWins(0, rounds)).toBe(0);
    expect(luckOfWins(1000, rounds)).toBeCloseTo(1, 12);
    expect(luckOfWins(350, rounds)).toBeCloseTo(0.5, 1);
    expect(luckOfWins(0, [])).toBe(0.5);
  });
});

function cents(confidence: number, count: number, correct: boolean): number {
  return Math.round(100 * Number(pnlUsd(confidence, count, correct)));
}

describe('luck of the P&L', () => {
  test('the luck of the P&L has the mean and variance of a guess', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), fc.constantFrom(2, 4, 8), (confidence, count) => {
        const payoff = { won: cents(confidence, count, true), lost: cents(confidence, count, false) };
        const outcomes = Array.from({ length: count }, (_, index) => (index === 0 ? payoff.won : payoff.lost));
        const mean = outcomes.reduce((sum, value) => sum + value, 0) / count;
        const variance = outcomes.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count;
        expect(pnlChance(payoff, count).mean).toBeCloseTo(mean, 9);
        expect(pnlChance(payoff, count).variance).toBeCloseTo(variance, 5);
      }),
    );
  });

  test('the luck of the P&L is close to the enumeration of 12 rounds', () => {
    const confidences = [55, 60, 65, 70, 75, 80, 85, 90, 95, 100, 60, 70];
    const payoffs = confidences.map((one) => ({ won: cents(one, 2, true), lost: cents(one, 2, false) }));
    const totals = Array.from({ length: 2 ** 12 }, (_, way) =>
      payoffs.reduce((sum, { won, lost }, round) => sum + ((way >> round) & 1 ? won : lost), 0),
    );
    const chance = payoffs
      .map((payoff) => pnlChance(payoff, 2))
      .reduce((sum, one) => ({ mean: sum.mean + one.mean, variance: sum.variance + one.variance }));
    for (const pnl of [-60_000, -30_000, 0]) {
      const below = totals.filter((total) => total < pnl).length / totals.length;
      expect(Math.abs(luckOfPnl(pnl, chance) - below)).toBeLessThan(0.03);
    }
  });

  test('the luck of the P&L is even without risk', () => {
    expect(luckOfPnl(0, { mean: 0, variance: 0 })).toBe(0.5);
  });
});
