import { beforeAll, expect, test } from '@jest/globals';

import { QUESTION_TYPES, type QuestionType } from '../../../src/rules/questions/question.ts';
import { type Recalibration, RECALIBRATIONS } from '../../../src/rules/reference/reference.ts';
import { type Bin, binsOf, type Case, casesOf, farByChance } from '../../fairness/calibration-table.ts';
import { fittedTo, lossOf, said } from '../../fairness/fitted-recalibration.ts';
import { type Hour, recordedHours } from '../../fairness/recorded-hours.ts';
import { CALM, describeWithCandles } from '../../history/shared-market.ts';
import { seeded } from '../../support/seeded.ts';

/** A bin with fewer independent hours has a standard error of about 4 points by itself. */
const LEAST_HOURS = 200;

const REACH = 0.04;
const MONTHS = ['2021-01', '2021-02', '2021-03', '2021-04', '2023-04'];

function isNear({ gap }: Bin): boolean {
  return Math.abs(gap) <= REACH;
}

/** One line a type: in each quarter the mean distance in points, by cases, and how many bins are within 4 points. */
function lineOf(type: string, bins: readonly Bin[]): string {
  const cells = [1, 2, 3, 4].map((quarter) => {
    const own = bins.filter((bin) => bin.type === type && bin.quarter === quarter);
    const cases = own.reduce((sum, { n }) => sum + n, 0);
    const missed = own.reduce((sum, { n, gap }) => sum + n * Math.abs(gap), 0);
    return cases === 0 ? '-' : `${((100 * missed) / cases).toFixed(1)} (${own.filter(isNear).length}/${own.length})`;
  });
  return `| \`${type}\` | ${cells.join(' | ')} |`;
}

/** One line a type: its bins beyond 4 points, each with its standard error. */
function farOf(type: string, bins: readonly Bin[]): string[] {
  const far = bins.filter((bin) => bin.type === type && !isNear(bin));
  const lines = far.map(({ quarter, tenth, gap, error }) => {
    const points = `${gap < 0 ? '' : '+'}${(100 * gap).toFixed(1)} ± ${(100 * error).toFixed(1)}`;
    return `${quarter}/${10 * tenth}-${10 * tenth + 10}: ${points}`;
  });
  return far.length === 0 ? [] : [`| \`${type}\` | ${lines.join(', ')} |`];
}

/** The bins of a type whose every month is recalibrated by the other four, and what the constants of `src` lose to a fit. */
function judged(type: QuestionType, hours: readonly Hour[]): { readonly bins: readonly Bin[]; readonly lost: number } {
  const cases = casesOf(type, hours);
  const { lean } = RECALIBRATIONS[type];
  const fit = (own: readonly Case[]): Recalibration => fittedTo(own, lean.left !== 0 || lean.over !== 0);
  const fits = new Map(MONTHS.map((month) => [month, fit(cases.filter((one) => one.month !== month))]));
  const bins = binsOf(type, cases, ({ month, model, left }) =>
    said(model, fits.get(month) ?? RECALIBRATIONS[type], left),
  );
  return {
    bins: bins.filter((bin) => bin.hours >= LEAST_HOURS),
    lost: lossOf(cases, RECALIBRATIONS[type]) - lossOf(cases, fit(cases)),
  };
}

describeWithCandles('the reference over other months than those of its fit', CALM, () => {
  let bins: readonly Bin[];
  let far: readonly Bin[];
  let byChance: readonly number[];
  const lost = new Map<QuestionType, number>();
  beforeAll(() => {
    const hours = [...recordedHours(CALM, 5), ...recordedHours(CALM, 1)].filter(({ start }) =>
      MONTHS.includes(start.toISOString().slice(0, 7)),
    );
    bins = QUESTION_TYPES.flatMap((type) => {
      const one = judged(type, hours);
      lost.set(type, one.lost);
      return one.bins;
    });
    far = bins.filter((bin) => !isNear(bin));
    const chance = seeded(7);
    const draws = farByChance(bins, { reach: REACH, draws: 400, uniform: () => chance.next() });
    byChance = draws.toSorted((one, other) => one - other);
    const mean = byChance.reduce((sum, count) => sum + count, 0) / byChance.length;
    const counted = `${hours.length} hours, ${bins.length} bins, ${far.length} beyond 4 points; by chance ${mean.toFixed(1)} (${byChance[10]} to ${byChance[389]})`;
    const lines = QUESTION_TYPES.map((type) => lineOf(type, bins));
    process.stdout.write(`${[counted, ...lines, ...QUESTION_TYPES.flatMap((type) => farOf(type, bins))].join('\n')}\n`);
  });

  test('14 of 15 bins are within 4 points, and all within 9', () => {
    expect(bins.length).toBeGreaterThan(400);
    expect(far.length / bins.length).toBeLessThan(1 / 15);
    expect(Math.max(...bins.map(({ gap }) => Math.abs(gap)))).toBeLessThan(0.09);
  });

  test('at most twice as many bins exceed 4 points as by chance in 39 of 40 draws', () => {
    expect(far.length).toBeLessThan(2 * (byChance[389] ?? 0));
  });

  test('the mean error is below 1.2 points, without bias', () => {
    const cases = bins.reduce((sum, { n }) => sum + n, 0);
    const missed = bins.reduce((sum, { n, gap }) => sum + n * Math.abs(gap), 0);
    const lean = bins.reduce((sum, { n, gap }) => sum + n * gap, 0);
    expect(missed / cases).toBeLessThan(0.012);
    expect(Math.abs(lean / cases)).toBeLessThan(0.005);
  });

  test.each(QUESTION_TYPES)('the constants of %s are as likely as those fitted to all five months', (type) => {
    expect(lost.get(type)).toBeLessThan(0.0005);
  });
});
