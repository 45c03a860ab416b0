import { describe, expect, test } from '@jest/globals';
import { asNumber, roundedQuotient, scaled } from './decimals.ts';
import {
  arenaPointsOf,
  placed,
  pnlCentsOf,
  scoreOf,
  streakBonusOf,
  winRateOf,
  type Standing,
} from './oracle-scores.ts';
import { edgeOf, evenOdds } from './oracle-edges.ts';
import { surelyHasEdge, NO_EDGES, tierOf, withEdge, type Edges } from './oracle-tiers.ts';

/** Neither on real candles nor on the service: the oracle against cases that are worked out by hand. */

function entry(id: number, confidence: number, correct: boolean, submittedAt: string): Standing {
  return { id, confidence, correct, submittedAt, score: scoreOf(confidence, correct) };
}

function series(...edges: readonly bigint[]): Edges {
  return edges.reduce(withEdge, NO_EDGES);
}

/** Edges over even odds at confidence 100: +0.5 when right, -1.5 when wrong. */
function oneWrong(right: number): Edges {
  return series(-1_500_000n, ...Array.from({ length: right }, () => 500_000n));
}

describe('scores', () => {
  test.each([
    [100, 110, -40],
    [85, 110, -40],
    [80, 110, -40],
    [79, 70, -20],
    [50, 70, -20],
    [49, 40, 0],
    [0, 40, 0],
  ])('confidence %i scores %i or %i', (confidence, right, wrong) => {
    expect([scoreOf(confidence, true), scoreOf(confidence, false)]).toEqual([right, wrong]);
  });

  test('streaks pay by their highest step', () => {
    expect([0, 2, 3, 4, 5, 9, 10, 19, 20, 99].map(streakBonusOf)).toEqual([0, 0, 5, 5, 10, 10, 15, 15, 25, 25]);
  });

  test.each([
    [2, 50, 0n, 0n],
    [2, 20, 0n, 0n],
    [2, 80, 2800n, -5200n],
    [2, 100, 3333n, -10_000n],
    [2, 75, 2500n, -4167n],
    [4, 25, 0n, 0n],
    [4, 100, 6000n, -10_000n],
    [8, 100, 7778n, -10_000n],
    [8, 12, 0n, 0n],
  ])('with %i answers confidence %i earns %i or %i cents', (answers, confidence, right, wrong) => {
    expect([pnlCentsOf(answers, confidence, true), pnlCentsOf(answers, confidence, false)]).toEqual([right, wrong]);
  });

  test('places go by score, then by boldness if right and caution if wrong, then by time, then by id', () => {
    const order = [
      entry(5, 90, true, '10:00:09'),
      entry(4, 85, true, '10:00:01'),
      entry(9, 85, true, '10:00:02'),
      entry(10, 85, true, '10:00:02'),
      entry(1, 60, true, '10:00:00'),
      entry(2, 5, false, '10:00:08'),
      entry(3, 40, false, '10:00:03'),
    ];
    expect(placed(order.toReversed())).toEqual(order);
  });

  test('the first place gets 700, the next nine 200, the rest nothing', () => {
    expect([1, 2, 10, 11].map(arenaPointsOf)).toEqual([700, 200, 200, 0]);
    expect(
      Array.from({ length: 20 }, (_, index) => arenaPointsOf(index + 1)).reduce((sum, points) => sum + points),
    ).toBe(2500);
  });

  test('rounding goes away from zero at the half', () => {
    expect([5n, -5n, 4n, -4n, 0n].map((units) => roundedQuotient(units, 10n))).toEqual([1n, -1n, 0n, 0n, 0n]);
    expect([winRateOf(2, 3), winRateOf(1, 3), winRateOf(0, 0)]).toEqual([6667n, 3333n, 0n]);
    expect([asNumber(-5n, 2), asNumber(28_000n, 3), asNumber(scaled('0.07', 4), 4)]).toEqual([-0.05, 28, 0.07]);
  });
});

describe('edges', () => {
  const boolean = { choices: ['YES', 'NO'], prediction: 'YES', confidence: 80 };

  test('are those worked out by hand', () => {
    // 0.4^2 + 0.4^2 - (0.2^2 + 0.2^2), and 0.6^2 + 0.6^2 - (0.8^2 + 0.8^2).
    expect(edgeOf({ ...boolean, said: [0.6, 0.4] }, 'YES')).toBe(240_000n);
    expect(edgeOf({ ...boolean, said: [0.6, 0.4] }, 'NO')).toBe(-560_000n);
    // A third of 0.3 on each other answer: 0.75 - (0.3^2 + 3 x 0.1^2).
    const choices = ['BTC', 'ETH', 'SOL', 'DOT'];
    expect(edgeOf({ choices, said: evenOdds(choices), prediction: 'SOL', confidence: 70 }, 'SOL')).toBe(630_000n);
  });
});

describe('tiers', () => {
  const good = series(420_000n);
  const bad = series(-780_000n);

  test('points, competitions and edge all count', () => {
    expect(tierOf(4999, 50, good)).toBe('bronze');
    expect(tierOf(5000, 49, good)).toBe('bronze');
    expect(tierOf(5000, 50, bad)).toBe('silver');
    expect(tierOf(25_000, 239, good)).toBe('silver');
    expect(tierOf(25_000, 240, bad)).toBe('silver');
    expect(tierOf(25_000, 240, NO_EDGES)).toBe('silver');
    expect(tierOf(25_000, 240, good)).toBe('gold');
    expect(tierOf(75_000, 720, good)).toBe('gold');
    expect(tierOf(75_000, 720, series(420_000n, 427_800n))).toBe('diamond');
  });

  test('edge is sure above two standard errors only', () => {
    // +1/2 when right and -3/2 when wrong: with n right and one wrong the mean is (n - 3) / (2 (n + 1)).
    // Two standard errors are 4 / (n + 1), so that the mean exceeds them when n - 3 > 8.
    expect([10, 11, 12].map((n) => surelyHasEdge(oneWrong(n)))).toEqual([false, false, true]);
  });
});
