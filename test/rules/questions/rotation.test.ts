import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { ASSETS } from '../../../src/rules/assets.ts';
import type { Plan, QuestionType } from '../../../src/rules/questions/question.ts';
import { QUESTION_TYPES } from '../../../src/rules/questions/question.ts';
import { planOf } from '../../../src/rules/questions/asking.ts';

const HOUR = 3_600_000;
const start = Date.parse('2026-01-01T00:00:00Z');
const plansFrom = (from: number, hours: number): readonly Plan[] =>
  Array.from({ length: hours }, (_, i) => planOf(new Date(from + i * HOUR)));
const variantOf = ({ subject, assets, direction }: Plan): string =>
  [subject ?? assets.join('-'), direction].filter((part) => part !== null).join(' ');

function longestRun(marks: string, mark: string): number {
  return Math.max(...marks.split(mark === 'x' ? ' ' : 'x').map((run) => run.length));
}

/** What decisions.md lets each type be about: how many assets decide, and how many variants that makes. */
const EXPECTED: Readonly<Record<QuestionType, { assets: number; variants: number }>> = {
  relative: { assets: 2, variants: 28 },
  best_performer: { assets: 8, variants: 1 },
  worst_performer: { assets: 8, variants: 1 },
  podium: { assets: 4, variants: 70 },
  volatility: { assets: 2, variants: 28 },
  direction: { assets: 1, variants: 8 },
  threshold: { assets: 1, variants: 16 },
  touch: { assets: 1, variants: 16 },
  magnitude: { assets: 1, variants: 8 },
  range: { assets: 1, variants: 8 },
  momentum: { assets: 1, variants: 8 },
  beat_market: { assets: 8, variants: 8 },
  breadth: { assets: 8, variants: 1 },
};

describe('rotation', () => {
  test('the rotation has each of the 13 types once in any 13 hours', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), (hour) => {
        const types = plansFrom(hour * HOUR, 13).map(({ questionType }) => questionType);
        expect(types.toSorted()).toEqual(QUESTION_TYPES.toSorted());
      }),
    );
  });

  test.each(QUESTION_TYPES)('the rotation has every variant of %s from any hour on', (questionType) => {
    const { variants, assets } = EXPECTED[questionType];
    fc.assert(
      fc.property(fc.nat(600_000), (hour) => {
        const plans = plansFrom(hour * HOUR, 3 * variants * 13).filter((plan) => plan.questionType === questionType);
        expect(new Set(plans.map(variantOf)).size).toBe(variants);
        for (const plan of plans) expect(new Set(plan.assets).size).toBe(assets);
      }),
      { numRuns: 10 },
    );
  });

  test('the rotation makes each asset the subject equally often', () => {
    const subjects = plansFrom(start, 13 * 64).flatMap(({ subject }) => subject ?? []);
    for (const asset of ASSETS) expect(subjects.filter((subject) => subject === asset)).toHaveLength(7 * 8);
  });

  test('the rotation makes no asset the subject twice within 8 hours', () => {
    const plans = plansFrom(start, 24 * 365);
    const twice = plans.filter(
      ({ subject }, i) =>
        subject !== null && plans.slice(Math.max(0, i - 8), i).some((plan) => plan.subject === subject),
    );
    expect(twice).toEqual([]);
  });

  test('each type covers each asset at all hours of the day within five years', () => {
    const hoursOfDay = new Map<string, Set<number>>();
    plansFrom(start, 24 * 365 * 5).forEach((plan, i) => {
      if (plan.subject === null) return;
      const key = `${plan.questionType} ${variantOf(plan)}`;
      hoursOfDay.set(key, (hoursOfDay.get(key) ?? new Set()).add(i % 24));
    });
    expect(hoursOfDay.size).toBe(5 * 8 + 2 * 16);
    for (const hours of hoursOfDay.values()) expect(hours.size).toBe(24);
  });

  // The groups repeat after length^2 cycles, so these are the longest runs that there ever are.
  test.each([
    { questionType: 'relative', variants: 28, longestIn: 3, longestOut: 12 },
    { questionType: 'volatility', variants: 28, longestIn: 3, longestOut: 12 },
    { questionType: 'podium', variants: 70, longestIn: 7, longestOut: 7 },
  ] as const)(
    'groups of $questionType include or exclude no asset for long',
    ({ questionType, variants, ...longest }) => {
      const cycles = variants ** 2 + variants;
      const first = Array.from({ length: 13 }, (_, i) => i).find(
        (i) => planOf(new Date(start + i * HOUR)).questionType === questionType,
      );
      const groups = Array.from({ length: cycles }, (_, i) => planOf(new Date(start + ((first ?? 0) + 13 * i) * HOUR)));
      expect(groups.every((plan) => plan.questionType === questionType)).toBe(true);
      for (const asset of ASSETS) {
        const marks = groups.map(({ assets }) => (assets.includes(asset) ? 'x' : ' ')).join('');
        expect(longestRun(marks, 'x')).toBeLessThanOrEqual(longest.longestIn);
        expect(longestRun(marks, ' ')).toBeLessThanOrEqual(longest.longestOut);
      }
    },
  );

  test('the rotation depends only on the hour', () => {
    expect(planOf(new Date(start))).toEqual(planOf(new Date(start)));
  });
});

describe('plan', () => {
  test('a plan is about its subject, its group, or all eight assets', () => {
    for (const { questionType, subject, assets } of plansFrom(start, 13 * 16)) {
      if (subject !== null) expect(assets).toContain(subject);
      if (EXPECTED[questionType].assets === 8) expect(assets).toEqual(ASSETS);
      expect(assets).toEqual(ASSETS.filter((asset) => assets.includes(asset)));
    }
  });

  test('a plan has a direction only for threshold and touch', () => {
    for (const { questionType, direction } of plansFrom(start, 13 * 16)) {
      expect(direction !== null).toBe(questionType === 'threshold' || questionType === 'touch');
    }
  });
});
