import { beforeAll, expect, test } from '@jest/globals';

import { QUESTION_TYPES } from '../../src/rules/questions/question.ts';
import { CALM, describeWithCandles, HALTS } from '../history/shared-market.ts';
import { calibrationTable, type Bin } from './calibration-table.ts';
import { recordedHours } from './recorded-hours.ts';

/** A bin with fewer cases says nothing within 4 points. */
const LEAST_CASES = 200;

/** The days on which nothing was fitted. */
const isTested = ({ start }: { readonly start: Date }): boolean => start.getUTCDate() % 2 === 0;

function gapOf({ n, said, happened }: Bin): number {
  return Math.abs(said - happened) / n;
}

/** One line a type: in each quarter the mean distance of said from happened, weighted by cases, in points. */
function lineOf(type: string, bins: readonly Bin[]): string {
  const cells = [1, 2, 3, 4].map((quarter) => {
    const own = bins.filter((bin) => bin.type === type && bin.quarter === quarter);
    const cases = own.reduce((sum, { n }) => sum + n, 0);
    const missed = own.reduce((sum, bin) => sum + bin.n * gapOf(bin), 0);
    return cases === 0 ? '-' : `${((100 * missed) / cases).toFixed(1)} (${cases})`;
  });
  return `| \`${type}\` | ${cells.join(' | ')} |`;
}

describeWithCandles('the reference over real minutes', CALM, () => {
  let bins: readonly Bin[];
  beforeAll(() => {
    const hours = [CALM, HALTS].flatMap((folder) => recordedHours(folder)).filter(isTested);
    bins = calibrationTable(hours).filter(({ n }) => n >= LEAST_CASES);
  });

  test('says what happens within 4 points in seven of eight bins, and within 11 in all', () => {
    process.stdout.write(`${QUESTION_TYPES.map((type) => lineOf(type, bins)).join('\n')}\n`);
    const gaps = bins.map(gapOf);
    expect(bins.length).toBeGreaterThan(200);
    expect(gaps.filter((gap) => gap <= 0.04).length / bins.length).toBeGreaterThan(7 / 8);
    expect(Math.max(...gaps)).toBeLessThan(0.11);
  });

  test('is off by less than 3 points on the average, and not to one side', () => {
    const cases = bins.reduce((sum, { n }) => sum + n, 0);
    const missed = bins.reduce((sum, bin) => sum + bin.n * gapOf(bin), 0);
    const lean = bins.reduce((sum, { said, happened }) => sum + said - happened, 0);
    expect(missed / cases).toBeLessThan(0.03);
    expect(Math.abs(lean / cases)).toBeLessThan(0.01);
  });
});
