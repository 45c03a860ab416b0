import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { withinBounds } from '../../src/rules/bounds.ts';
import { boundedBrier, edgeOf, forecastOf, ownBrier, referenceBrier } from '../../src/rules/edge.ts';
import { exactPnl } from '../../src/rules/scoring.ts';
import { RULES_VERSION } from '../../src/rules/versions.ts';

function edge(reference: readonly number[], stated: number, winnerIndex: number): number {
  return edgeOf(reference, { confidence: stated, pickIndex: 0 }, { winnerIndex, version: RULES_VERSION });
}

const choiceCount = fc.constantFrom(2, 4, 8);
const confidence = fc.integer({ min: 0, max: 100 });
const place = (count: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: count - 1 });

const prediction = choiceCount.chain((count) =>
  fc.record({ count: fc.constant(count), confidence, pickIndex: place(count), winnerIndex: place(count) }),
);

test('the own score is that of the vector, whichever answer is picked', () => {
  fc.assert(
    fc.property(prediction, ({ count, winnerIndex, ...picked }) => {
      const vector = forecastOf(picked, count);
      const own = ownBrier(picked.confidence, count, picked.pickIndex === winnerIndex);
      expect(own).toBeCloseTo(referenceBrier(vector, winnerIndex), 12);
      expect(vector.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12);
    }),
  );
});

test('the own score is the one of the sim P&L', () => {
  fc.assert(
    fc.property(prediction, ({ count, confidence: stated, pickIndex, winnerIndex }) => {
      const correct = pickIndex === winnerIndex;
      const opening = 1 - 1 / count;
      const pnl = exactPnl(stated, count, correct);
      const paid = (100 * (opening - ownBrier(stated, count, correct))) / (2 - opening);
      expect(paid).toBeCloseTo(Number(pnl.num) / Number(pnl.den), 9);
    }),
  );
});

test('a certain hit scores 0, a certain miss 2, a guess at even odds 1 - 1 / k', () => {
  expect([ownBrier(100, 2, true), ownBrier(100, 2, false)]).toEqual([0, 2]);
  expect([ownBrier(50, 2, true), ownBrier(25, 4, false), ownBrier(0, 8, true)]).toEqual([0.5, 0.75, 0.875]);
});

test('a copy of the price has no edge, whatever the outcome', () => {
  for (const winnerIndex of [0, 1]) expect(edge([0.8, 0.2], 80, winnerIndex)).toBeCloseTo(0);
});

test('better knowledge than the price earns an edge, and overconfidence costs it', () => {
  const reference = [0.6, 0.4];
  expect(edge(reference, 90, 0)).toBeCloseTo(0.32 - 0.02);
  expect(edge(reference, 90, 1)).toBeCloseTo(0.72 - 1.62);
});

test('an honest confidence has the highest expected edge', () => {
  fc.assert(
    fc.property(fc.integer({ min: 50, max: 98 }), confidence, (truth, stated) => {
      const expected = (said: number): number =>
        (truth * edge([0.5, 0.5], said, 0) + (100 - truth) * edge([0.5, 0.5], said, 1)) / 100;
      expect(expected(truth)).toBeGreaterThanOrEqual(expected(stated) - 1e-12);
    }),
  );
});

describe('bounds of the price', () => {
  test('all confidences from 98 have the same edge', () => {
    for (const winnerIndex of [0, 1]) {
      expect(edge([0.98, 0.02], 100, winnerIndex)).toBeCloseTo(0, 12);
      expect(edge([0.9, 0.1], 99, winnerIndex)).toBe(edge([0.9, 0.1], 98, winnerIndex));
    }
  });

  test('a prediction is bounded exactly like the reference', () => {
    fc.assert(
      fc.property(prediction, ({ count, winnerIndex, ...picked }) => {
        const bounded = withinBounds(forecastOf(picked, count));
        const own = boundedBrier(picked.confidence, count, picked.pickIndex === winnerIndex);
        expect(own).toBeCloseTo(referenceBrier(bounded, winnerIndex), 12);
      }),
    );
  });

  test('a settled question is unbounded: certainty has an edge of 0, and doubt costs', () => {
    expect(edge([1, 0], 100, 0)).toBe(0);
    expect(edge([1, 0], 98, 0)).toBeCloseTo(-0.0008, 12);
  });

  test('version 1 of the rules paid an edge beyond the bounds', () => {
    expect(edgeOf([0.98, 0.02], { confidence: 100, pickIndex: 0 }, { winnerIndex: 0, version: 1 })).toBeCloseTo(
      0.0008,
      12,
    );
  });
});

test('a winner outside the answers is refused', () => {
  expect(() => referenceBrier([0.5, 0.5], 2)).toThrow('the winner must be one of 2 answers (got index 2)');
});
