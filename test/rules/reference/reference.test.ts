import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import type { Asset } from '../../../src/rules/assets.ts';
import { type Question, QUESTION_TYPES } from '../../../src/rules/questions/question.ts';
import type { ReferenceMoment } from '../../../src/rules/reference/moment.ts';
import { referenceAt } from '../../../src/rules/reference/reference.ts';
import type { DecidableQuestion } from '../../../src/rules/questions/deciding.ts';
import { RULES_VERSION } from '../../../src/rules/versions.ts';
import { moment, priced, question, questionsOf, startOfHour } from './moments.ts';

const RUNS = { numRuns: 150 };

function probabilitiesAt(decidable: DecidableQuestion, at: ReferenceMoment | null): readonly number[] {
  return referenceAt(decidable, at, RULES_VERSION);
}

test('a reference has a probability for each choice, settled or within the bounds', () => {
  fc.assert(
    fc.property(question, moment, (asked, at) => {
      const reference = probabilitiesAt(asked, at);
      expect(reference).toHaveLength(asked.choices.length);
      expect(reference.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12);
      if (reference.includes(1)) return;
      const others = asked.choices.length - 1;
      expect(Math.max(...reference)).toBeLessThanOrEqual(0.98 + 1e-12);
      expect(Math.min(...reference)).toBeGreaterThanOrEqual(0.02 / others - 1e-12);
    }),
    RUNS,
  );
});

test('the same question and moment give the same bits', () => {
  fc.assert(
    fc.property(question, moment, (asked, at) => {
      expect(probabilitiesAt(asked, structuredClone(at))).toEqual(probabilitiesAt(asked, at));
    }),
    { numRuns: 40 },
  );
});

test.each(QUESTION_TYPES)('%s without a known price has even odds', (type) => {
  for (const asked of questionsOf(type)) {
    const even = 1 / asked.choices.length;
    expect(probabilitiesAt(asked, null)).toEqual(asked.choices.map(() => even));
  }
});

test.each([
  ['relative', 0.5, 0.5],
  ['direction', 0.5, 0.5],
  ['momentum', 0.46, 0.54],
  ['beat_market', 0.46, 0.49],
  ['volatility', 0.1, 0.9],
  ['threshold', 0.4, 0.5],
  ['touch', 0.3, 0.65],
  ['magnitude', 0.3, 0.75],
  ['range', 0.25, 0.7],
  ['breadth', 0.4, 0.7],
] as const)('%s starts the hour near its base rate', (type, low, high) => {
  for (const asked of questionsOf(type)) {
    const [first = Number.NaN] = probabilitiesAt(asked, startOfHour());
    expect(first).toBeGreaterThanOrEqual(low);
    expect(first).toBeLessThanOrEqual(high);
  }
});

test.each(['best_performer', 'worst_performer', 'podium'] as const)(
  'no answer of %s starts the hour above twice or below half of a guess',
  (type) => {
    for (const asked of questionsOf(type)) {
      for (const value of probabilitiesAt(asked, startOfHour())) {
        expect(value * asked.choices.length).toBeGreaterThan(0.5);
        expect(value * asked.choices.length).toBeLessThan(2);
      }
    }
  },
);

describe('settled outcomes', () => {
  test('a touch that has happened is certain, whatever the present price', () => {
    for (const asked of questionsOf('touch')) {
      const subject = asked.params.subject ?? 'BTC';
      const beyond = 100 * (1 + Number(asked.params.thresholdPct) / 100);
      const touched = priced(startOfHour(), subject, beyond + Math.sign(beyond - 100) * 0.001);
      expect(probabilitiesAt(asked, touched)).toEqual([1, 0]);
      expect(probabilitiesAt(asked, priced(touched, subject, 100))).toEqual([1, 0]);
    }
  });

  test.each([1, -1])('a range left in the direction %p is certain', (sign) => {
    for (const asked of questionsOf('range')) {
      const subject = asked.params.subject ?? 'BTC';
      const left = priced(startOfHour(), subject, 100 + sign * (Number(asked.params.thresholdPct) + 0.001));
      expect(probabilitiesAt(asked, priced(left, subject, 100))).toEqual([0, 1]);
    }
  });

  test('no other question is certain before the end of the hour', () => {
    fc.assert(
      fc.property(question, moment, (asked, at) => {
        fc.pre(asked.questionType !== 'touch' && asked.questionType !== 'range');
        expect(Math.max(...probabilitiesAt(asked, at))).toBeLessThanOrEqual(0.98 + 1e-12);
      }),
      RUNS,
    );
  });
});

/** Where an hour hardly moves at all, the last digits of prices are much of its move. */
const ROUNDING = 1e-9;

/**
 * By how much the first answer's probability grows, or that of NO where the asset's rise makes YES less likely. The range so far
 * has both prices: a wider one is of a greater volatility, and makes far levels more likely.
 */
function growth(
  asked: Question,
  at: ReferenceMoment,
  { asset, rise, falls }: { asset: Asset; rise: number; falls: boolean },
) {
  const price = at.assets[asset]?.priceUsd ?? Number.NaN;
  const risen = priced(at, asset, price * (1 + rise));
  const [before = 0] = probabilitiesAt(asked, priced(risen, asset, price));
  const [after = 0] = probabilitiesAt(asked, risen);
  return (after - before) * (falls ? -1 : 1);
}

const subjectOf = ({ params }: Question): Asset => params.subject ?? 'BTC';
const firstOf = ({ assets: [first = 'BTC'] }: Question): Asset => first;
const isBelow = ({ params }: Question): boolean => params.operator === '<=';
const fellBefore = (_asked: Question, { signBefore }: ReferenceMoment): boolean => signBefore === -1;
const never = (): boolean => false;

test.each([
  { type: 'direction', asset: subjectOf, falls: never, least: -ROUNDING, ...RUNS },
  { type: 'threshold', asset: subjectOf, falls: isBelow, least: -ROUNDING, ...RUNS },
  { type: 'beat_market', asset: subjectOf, falls: never, least: -ROUNDING, ...RUNS },
  { type: 'momentum', asset: subjectOf, falls: fellBefore, least: -ROUNDING, ...RUNS },
  { type: 'relative', asset: firstOf, falls: never, least: -0.02, numRuns: 40 },
  { type: 'best_performer', asset: firstOf, falls: never, least: -0.02, numRuns: 40 },
  { type: 'podium', asset: firstOf, falls: never, least: -0.02, numRuns: 40 },
  { type: 'worst_performer', asset: firstOf, falls: () => true, least: -0.02, numRuns: 40 },
  { type: 'breadth', asset: (): Asset => 'SOL', falls: never, least: 0, numRuns: 40 },
] as const)('$type follows the price of its subject', ({ type, asset, falls, least, numRuns }) => {
  const rises = fc.double({ min: 0, max: 0.02, noNaN: true });
  fc.assert(
    fc.property(fc.constantFrom(...questionsOf(type)), moment, rises, (asked, at, rise) => {
      const grown = growth(asked, at, { asset: asset(asked), rise, falls: falls(asked, at) });
      expect(grown).toBeGreaterThanOrEqual(least);
    }),
    { numRuns },
  );
});

test('momentum without the previous hour has its base rate', () => {
  const [asked] = questionsOf('momentum');
  const known = asked && probabilitiesAt(asked, { ...startOfHour(), signBefore: 1 });
  expect(asked && probabilitiesAt(asked, { ...startOfHour(), signBefore: null })).toEqual(known);
});

test('a moment without a deciding asset is refused', () => {
  const [asked] = questionsOf('relative');
  expect(() => asked && probabilitiesAt(asked, { ...startOfHour(), assets: {} })).toThrow(
    `the moment must have the prices of ${asked?.assets[0]} (got none)`,
  );
});

test('a moment whose numbers are none is refused', () => {
  const [asked] = questionsOf('direction');
  expect(() => asked && probabilitiesAt(asked, { ...startOfHour(), secondsLeft: Number.NaN })).toThrow(RangeError);
});
