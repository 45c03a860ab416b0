import { beforeAll, expect, test } from '@jest/globals';

import { QUESTION_TYPES } from '../../../src/rules/questions/question.ts';
import { calibrationTable, type Bin } from '../../fairness/calibration-table.ts';
import { recordedHours } from '../../fairness/recorded-hours.ts';
import { CALM, describeWithCandles } from '../../history/shared-market.ts';

/** A bin with fewer independent hours has a standard error of about 4 points by itself. */
const LEAST_HOURS = 200;

/** Nothing of the reference was fitted before: its constants are those of April 2021 and April 2023. */
const FITTED_FROM = new Date('2021-04-01T00:00:00Z');

function isNear({ gap }: Bin): boolean {
  return Math.abs(gap) <= 0.04;
}

/** One line a type: in each quarter the mean distance in points, by cases, and how many bins are within 4 points. */
function lineOf(type: string, bins: readonly Bin[]): string {
  const cells = [1, 2, 3, 4].map((quarter) => {
    const own = bins.filter((bin) => bin.type === type && bin.quarter === quarter);
    const cases = own.reduce((sum, { n }) => sum + n, 0);
    const missed = own.reduce((sum, { n, gap }) => sum + n * Math.abs(gap), 0);
    return cases === 0 ? '-' : `${((100 * missed) / cases).toFixed(1)} (${own.filter(isNear).length} of ${own.length})`;
  });
  return `| \`${type}\` | ${cells.join(' | ')} |`;
}

/** One line a type: its bins beyond 4 points, each with its standard error. */
function farOf(type: string, bins: readonly Bin[]): string[] {
  const far = bins.filter((bin) => bin.type === type && !isNear(bin));
  const told = far.map(({ quarter, tenth, gap, error }) => {
    const points = `${gap < 0 ? '' : '+'}${(100 * gap).toFixed(1)} ± ${(100 * error).toFixed(1)}`;
    return `${quarter}/${10 * tenth}-${10 * tenth + 10}: ${points}`;
  });
  return far.length === 0 ? [] : [`| \`${type}\` | ${told.join(', ')} |`];
}

describeWithCandles('the reference over hours that nothing was fitted on', CALM, () => {
  let bins: readonly Bin[];
  beforeAll(() => {
    const hours = recordedHours(CALM, 5).filter(({ start }) => start < FITTED_FROM);
    bins = calibrationTable(hours).filter((bin) => bin.hours >= LEAST_HOURS);
    const lines = QUESTION_TYPES.flatMap((type) => [lineOf(type, bins)]);
    const far = QUESTION_TYPES.flatMap((type) => farOf(type, bins));
    const counted = `${hours.length} hours, ${bins.length} bins, ${bins.filter(isNear).length} within 4 points`;
    process.stdout.write(`${[counted, ...lines, ...far].join('\n')}\n`);
  });

  test('says what happens within 4 points in 17 of 20 bins, and within 13 in all', () => {
    expect(bins.length).toBeGreaterThan(300);
    expect(bins.filter(isNear).length / bins.length).toBeGreaterThan(17 / 20);
    expect(Math.max(...bins.map(({ gap }) => Math.abs(gap)))).toBeLessThan(0.13);
  });

  test('is off by less than 2.5 points on the average, and not to one side', () => {
    const cases = bins.reduce((sum, { n }) => sum + n, 0);
    const missed = bins.reduce((sum, { n, gap }) => sum + n * Math.abs(gap), 0);
    const lean = bins.reduce((sum, { n, gap }) => sum + n * gap, 0);
    expect(missed / cases).toBeLessThan(0.025);
    expect(Math.abs(lean / cases)).toBeLessThan(0.01);
  });
});
