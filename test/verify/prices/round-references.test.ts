import { expect, test } from '@jest/globals';

import { newFindings } from '../../../src/verify/findings.ts';
import type { RoundDetails } from '../../../src/verify/published/round-details.ts';
import { checkReferences } from '../../../src/verify/prices/round-references.ts';
import { referenceAt } from '../../../src/rules/reference/reference.ts';
import { RULES_VERSION } from '../../../src/rules/versions.ts';
import { ASKED, roundWith, START } from '../hand-made.ts';

const HALF_PAST = new Date(START.getTime() + 30 * 60_000);
const COVARIANCE = Array.from({ length: 64 }, (_, place) => (place % 9 === 0 ? 4e-5 : 1e-5));
const QUOTES = { points: [0, 120], prices: [[100], [100.2]], highs: [[100], [100.4]], lows: [[100], [99.9]] };

/** What the rules say of these quotes at half past. */
const RIGHT = referenceAt(
  ASKED,
  {
    secondsLeft: 1800,
    assets: { BTC: { openUsd: 100, priceUsd: 100.2, highUsd: 100.4, lowUsd: 99.9 } },
    covariance: Array.from({ length: 8 }, (_, row) => COVARIANCE.slice(8 * row, 8 * row + 8)),
    signBefore: null,
  },
  RULES_VERSION,
);

function found(details: Partial<RoundDetails>) {
  const findings = newFindings();
  const referenceBasis = { covariance: COVARIANCE, signBefore: null };
  checkReferences(roundWith({ quotes: QUOTES, referenceBasis, ...details }), findings);
  return findings.differences;
}

function shown(probabilities: readonly number[], known = true): Pick<RoundDetails, 'reference'> {
  return {
    reference: [{ at: HALF_PAST, known, probabilities: [...probabilities] }],
  };
}

test('a reference that follows from the published prices is no difference', () => {
  expect(found(shown(RIGHT))).toEqual([]);
});

test('a reference that differs in the last bit is reported with both vectors', () => {
  const [yes = 0, no = 0] = RIGHT;
  const other = [yes + Number.EPSILON / 2, no];
  expect(found(shown(other))).toEqual([
    { place: 'round 7, at 2026-01-01T10:30:00.000Z', name: 'reference', published: other, recomputed: RIGHT },
  ]);
});

test('a reference without published price, open or covariance is reported', () => {
  for (const details of [
    { quotes: { points: [0], prices: [[100]], highs: [[100]], lows: [[100]] } },
    { quotes: { points: [120], prices: [[100.2]], highs: [[100.4]], lows: [[99.9]] } },
    { referenceBasis: null },
    { referenceBasis: { covariance: COVARIANCE.slice(1), signBefore: null } },
  ]) {
    expect(found({ ...shown([0.5, 0.5]), ...details }).map(({ name }) => name)).toEqual(['known']);
    expect(found({ ...shown([0.5, 0.5], false), ...details })).toEqual([]);
  }
});

test('impossible prices are reported', () => {
  const place = 'round 7, prices at 2026-01-01T10:30:00.000Z';
  const wrong = (name: string) => [{ place, name, published: false, recomputed: true }];
  expect(found({ quotes: { ...QUOTES, highs: [[100], [99.95]] } })).toEqual(wrong('highs_only_rise'));
  expect(found({ quotes: { ...QUOTES, lows: [[100], [100.1]] } })).toEqual(wrong('lows_only_fall'));
  expect(found({ quotes: { ...QUOTES, prices: [[100], [0]] } })).toEqual(wrong('above_0'));
  expect(found({ quotes: { ...QUOTES, prices: [[100], [100, 7]] } })).toEqual(wrong('one_for_each_asset'));
});

test.each([
  ['above_0', [0]],
  ['one_for_each_asset', []],
])('a reference at prices without %s is unknown', (name, prices) => {
  const quotes = { ...QUOTES, prices: [[100], prices] };
  expect(found({ ...shown([0.5, 0.5], false), quotes }).map((one) => one.name)).toEqual([name]);
});
