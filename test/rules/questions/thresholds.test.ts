import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { returnOf } from '../../../src/rules/candle.ts';
import { byAsset } from '../../../src/rules/assets.ts';
import { fraction, parseDecimal } from '../../../src/rules/fraction.ts';
import type { HistoryHour, Plan } from '../../../src/rules/questions/question.ts';
import { evenCountFit, HISTORY_HOURS, levelFit, readablePct } from '../../../src/rules/questions/thresholds.ts';
import { closes, rising } from './hand-made.ts';

describe('readable percentages', () => {
  test.each([
    ['0.003456', '0.35'],
    ['0.00345', '0.35'],
    ['0.00344999', '0.34'],
    ['0.0005678', '0.057'],
    ['0.0001', '0.01'],
    ['0.00009', '0.01'],
    ['0', '0.01'],
    ['-0.02', '0.01'],
    ['0.000999', '0.1'],
    ['0.003', '0.3'],
    ['0.01', '1'],
    ['0.01249', '1.2'],
    ['0.0996', '10'],
    ['0.1249', '12'],
    ['1.255', '130'],
  ])('%s as a percentage is %s', (value, text) => {
    expect(readablePct(parseDecimal(value))).toBe(text);
  });

  test('a percentage has at most two significant digits and is within 5 % of the value', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10_000, max: 10_000_000 }), (parts) => {
        const text = readablePct(fraction(parts, 10n ** 8n));
        expect(text.replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length).toBeLessThanOrEqual(2);
        expect(Math.abs(Number(text) / (parts / 10 ** 6) - 1)).toBeLessThanOrEqual(0.05);
      }),
    );
  });
});

const plan = (direction: Plan['direction']): Plan => ({
  questionType: 'threshold',
  subject: 'BTC',
  assets: ['BTC'],
  direction,
});
/** Hours in which BTC rose by 0.01 %, 0.02 %, ... in an order that is not theirs. */
const steps = (hours: number): readonly HistoryHour[] =>
  Array.from({ length: hours }, (_, i) => closes({ BTC: `100.${String(((i * 61) % hours) + 1).padStart(2, '0')}` }));

test('thresholds use 7 days of history', () => {
  expect(HISTORY_HOURS).toBe(168);
});

describe('levels', () => {
  const fit = levelFit({ size: returnOf, below: 50, usualPct: byAsset((asset) => (asset === 'BTC' ? '7' : '8')) });

  test('a level has the required share of past hours below it', () => {
    expect(fit(plan(null), steps(50))).toEqual({ thresholdPct: '0.26', n: null });
  });

  test('a level for a fall is negative', () => {
    expect(fit(plan('down'), steps(50)).thresholdPct).toBe('-0.26');
    expect(fit(plan('up'), steps(50)).thresholdPct).toBe('0.26');
  });

  test('a level without a day of history is the default of its asset', () => {
    expect(fit(plan('down'), []).thresholdPct).toBe('-7');
    expect(fit(plan('up'), steps(23)).thresholdPct).toBe('7');
    expect(fit(plan('up'), steps(24)).thresholdPct).not.toBe('7');
    expect(
      fit(
        plan('up'),
        Array.from({ length: 168 }, () => closes({ ETH: '101' })),
      ).thresholdPct,
    ).toBe('7');
  });
});

/** Twelve hours for each count, in which so many assets rose. */
const hours = (counts: readonly number[]) => counts.flatMap((count) => Array.from({ length: 12 }, () => rising(count)));

describe('n of breadth', () => {
  const fit = evenCountFit(4);
  const all = { questionType: 'breadth', subject: null, assets: ['BTC'], direction: null } as const;

  test.each([
    [[2, 7], 3],
    [[6, 6, 2, 1], 3],
    [[8, 8, 8, 0], 1],
    [[0, 0, 0], 1],
    [[5, 6, 7, 8], 7],
  ])('n divides past counts %j as evenly as possible', (counts, n) => {
    expect(fit(all, hours(counts))).toEqual({ thresholdPct: null, n });
  });

  test('n is the default when hours lack candles or are few', () => {
    expect(fit(all, []).n).toBe(4);
    expect(fit(all, hours([8]).slice(1)).n).toBe(4);
    expect(
      fit(
        all,
        Array.from({ length: 168 }, () => closes({ BTC: '101' })),
      ).n,
    ).toBe(4);
  });
});
