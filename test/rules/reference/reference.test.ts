import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { QUESTION_TYPES } from '../../../src/rules/questions/question.ts';
import type { Decidable } from '../../../src/rules/questions/deciding.ts';
import { referenceAt, type ReferenceMoment } from '../../../src/rules/reference/reference.ts';
import { RULES_VERSION } from '../../../src/rules/versions.ts';
import { moment, priced, question, questionsOf, startOfHour } from './moments.ts';

const RUNS = { numRuns: 150 };

function said(asked: Decidable, at: ReferenceMoment | null): readonly number[] {
  return referenceAt(asked, at, RULES_VERSION);
}

test('a reference is a probability for each choice, settled or between the bounds', () => {
  fc.assert(
    fc.property(question, moment, (asked, at) => {
      const reference = said(asked, at);
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
      expect(said(asked, structuredClone(at))).toEqual(said(asked, at));
    }),
    { numRuns: 40 },
  );
});

test.each(QUESTION_TYPES)('where no price is known %s has even odds', (type) => {
  for (const asked of questionsOf(type)) {
    const even = 1 / asked.choices.length;
    expect(said(asked, null)).toEqual(asked.choices.map(() => even));
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
] as const)('at the start of an hour %s is near its base rate', (type, low, high) => {
  for (const asked of questionsOf(type)) {
    const [first = Number.NaN] = said(asked, startOfHour());
    expect(first).toBeGreaterThanOrEqual(low);
    expect(first).toBeLessThanOrEqual(high);
  }
});

test.each(['best_performer', 'worst_performer', 'podium'] as const)(
  'at the start of an hour no answer of %s is twice as likely as a guess, or half as likely',
  (type) => {
    for (const asked of questionsOf(type)) {
      for (const value of said(asked, startOfHour())) {
        expect(value * asked.choices.length).toBeGreaterThan(0.5);
        expect(value * asked.choices.length).toBeLessThan(2);
      }
    }
  },
);

describe('a settled outcome is certain', () => {
  test('a touch that has happened, wherever the price is now', () => {
    for (const asked of questionsOf('touch')) {
      const subject = asked.params.subject ?? 'BTC';
      const beyond = 100 * (1 + Number(asked.params.thresholdPct) / 100);
      const touched = priced(startOfHour(), subject, beyond + Math.sign(beyond - 100) * 0.001);
      expect(said(asked, touched)).toEqual([1, 0]);
      expect(said(asked, priced(touched, subject, 100))).toEqual([1, 0]);
    }
  });

  test.each([1, -1])('a range that was left %p-wards', (sign) => {
    for (const asked of questionsOf('range')) {
      const subject = asked.params.subject ?? 'BTC';
      const left = priced(startOfHour(), subject, 100 + sign * (Number(asked.params.thresholdPct) + 0.001));
      expect(said(asked, priced(left, subject, 100))).toEqual([0, 1]);
    }
  });

  test('and nothing else is before the hour is over', () => {
    fc.assert(
      fc.property(question, moment, (asked, at) => {
        fc.pre(asked.questionType !== 'touch' && asked.questionType !== 'range');
        expect(Math.max(...said(asked, at))).toBeLessThanOrEqual(0.98 + 1e-12);
      }),
      RUNS,
    );
  });
});

/** Where an hour hardly moves at all, the last digits of prices are much of its move. */
const ROUNDING = 1e-9;

describe('a reference follows the price', () => {
  test.each(['direction', 'threshold', 'beat_market', 'momentum'] as const)('%s, up or down as it is asked', (type) => {
    fc.assert(
      fc.property(
        fc.constantFrom(...questionsOf(type)),
        moment,
        fc.double({ min: 0, max: 0.02, noNaN: true }),
        (asked, at, rise) => {
          const subject = asked.params.subject ?? 'BTC';
          const price = at.assets[subject]?.priceUsd ?? Number.NaN;
          const [before = 0] = said(asked, at);
          const [after = 0] = said(asked, priced(at, subject, price * (1 + rise)));
          const falls = type === 'momentum' ? at.signBefore === -1 : asked.params.operator === '<=';
          expect((after - before) * (falls ? -1 : 1)).toBeGreaterThanOrEqual(-ROUNDING);
        },
      ),
      RUNS,
    );
  });

  test.each([
    ['relative', 1],
    ['best_performer', 1],
    ['podium', 1],
    ['worst_performer', -1],
  ] as const)('%s, choice by choice', (type, sign) => {
    fc.assert(
      fc.property(
        fc.constantFrom(...questionsOf(type)),
        moment,
        fc.double({ min: 0, max: 0.02, noNaN: true }),
        (asked, at, rise) => {
          const [asset = 'BTC'] = asked.assets;
          const price = at.assets[asset]?.priceUsd ?? Number.NaN;
          const [before = 0] = said(asked, at);
          const [after = 0] = said(asked, priced(at, asset, price * (1 + rise)));
          expect(sign * (after - before)).toBeGreaterThanOrEqual(-0.02);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('breadth, with every asset that rises', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...questionsOf('breadth')),
        moment,
        fc.double({ min: 0, max: 0.02, noNaN: true }),
        (asked, at, rise) => {
          const [before = 0] = said(asked, at);
          const [after = 0] = said(asked, priced(at, 'SOL', (at.assets.SOL?.priceUsd ?? Number.NaN) * (1 + rise)));
          expect(after).toBeGreaterThanOrEqual(before);
        },
      ),
      { numRuns: 40 },
    );
  });
});

test('momentum whose hour before is not known has its base rate', () => {
  const [asked] = questionsOf('momentum');
  const known = asked && said(asked, { ...startOfHour(), signBefore: 1 });
  expect(asked && said(asked, { ...startOfHour(), signBefore: null })).toEqual(known);
});

test('a moment without an asset that decides is refused', () => {
  const [asked] = questionsOf('relative');
  expect(() => asked && said(asked, { ...startOfHour(), assets: {} })).toThrow(
    `the moment must have the prices of ${asked?.assets[0]} (got none)`,
  );
});
