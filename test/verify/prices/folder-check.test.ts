import { expect, test } from '@jest/globals';

import { openFolder } from '../../../src/verify/prices/candle-folder.ts';
import { newFindings } from '../../../src/verify/findings.ts';
import { checkCandles } from '../../../src/verify/prices/folder-check.ts';
import { checkPrices } from '../../../src/verify/prices/folder-prices.ts';
import type { RoundDetails } from '../../../src/verify/published/round-details.ts';
import { CannotVerify } from '../../../src/verify/settings.ts';
import { flatHour, folderOf, forAll } from '../../market/replay-folder.ts';
import { ASKED, ROUND, roundWith, START } from '../hand-made.ts';

const CANDLE = { open: '100', high: '110', low: '90', close: '101.0', volume: '5' };
const PLACE = "round 7, the folder's candle of BTC at 2026-01-01T10:00:00.000Z";

/** What is found where the service agreed on `CANDLE`, or on nothing, and the folder holds this. */
function found(source: string, folderCandle: typeof CANDLE | null, agreed = true) {
  const findings = newFindings();
  const shown = { ...CANDLE, symbol: 'BTC', hourStart: START } as const;
  const read = roundWith({ agreedCandles: agreed ? [shown] : [] }, { ...ROUND, source });
  checkCandles(read, { folder: { hourOf: () => folderCandle, pricesSoFar: () => [] }, findings });
  return { differences: findings.differences, notes: findings.notes };
}

test('a folder with two files of one step is refused, as by a replay', async () => {
  const files = forAll('1h', flatHour('2026-01-01T10:00:00Z', 60));
  await using folder = await folderOf({ ...files, 'BTC-USD-1h.csv.gz': '' });
  await expect(openFolder(folder.path)).rejects.toThrow(CannotVerify);
  await expect(openFolder(folder.path)).rejects.toThrow(
    `--candles: Replay folder ${folder.path} holds both BTC-USD-1h.csv and BTC-USD-1h.csv.gz: remove one.`,
  );
});

const NOTHING = { differences: [], notes: [] };

test("a replay's candle equals the folder's, in any spelling of decimals", () => {
  expect(found('replay:market', { ...CANDLE, close: '101' })).toEqual(NOTHING);
});

test('a changed figure of a replay is a difference', () => {
  const difference = { place: PLACE, name: 'low', published: '90', recomputed: '90.01' };
  expect(found('replay:market', { ...CANDLE, low: '90.01' })).toEqual({ differences: [difference], notes: [] });
});

test('an hour without a price has none in the folder either', () => {
  expect(found('replay:market', null, false)).toEqual(NOTHING);
  const missing = { place: PLACE, name: 'has_price', published: true, recomputed: false };
  expect(found('replay:market', null).differences).toEqual([missing]);
  const held = { place: PLACE, name: 'has_price', published: false, recomputed: true };
  expect(found('replay:market', CANDLE, false).differences).toEqual([held]);
});

test("an agreed candle may be near the folder's", () => {
  expect(found('coinbase+kraken', { ...CANDLE, close: '101.5' })).toEqual(NOTHING);
});

test("an agreed candle far from the folder's is a difference", () => {
  const { differences } = found('coinbase+kraken', { ...CANDLE, close: '103' });
  expect(differences).toEqual([{ place: PLACE, name: 'close', published: '101', recomputed: '103' }]);
});

test('an hour that the folder lacks is listed', () => {
  expect(found('coinbase+kraken', null)).toEqual({
    differences: [],
    notes: [`${PLACE} is missing: nothing was compared with it.`],
  });
});

/** Every hour moves by one percent, up and down in turns. */
function inTurns(_asset: string, hour: Date) {
  return { ...CANDLE, close: hour.getUTCHours() % 2 === 0 ? '101' : '99' };
}

/** A round of the hour from 12 to 13, which asks whether AVAX falls by so many percent. */
function foundOfThreshold(pct: number) {
  const findings = newFindings();
  const start = new Date('2026-01-01T12:00:00Z');
  const round = { ...ROUND, source: 'replay:market', start_time: start, threshold_pct: pct };
  const question = { ...ASKED, questionType: 'threshold', assets: [] } as const;
  checkCandles({ ...roundWith({}, round), question }, { folder: { hourOf: inTurns, pricesSoFar: () => [] }, findings });
  return findings.differences;
}

test('a threshold of a replay follows from the previous seven days', () => {
  expect(foundOfThreshold(-1)).toEqual([]);
  const place = "round 7, from the folder's candles";
  expect(foundOfThreshold(-1.1)).toEqual([{ place, name: 'threshold_pct', published: -1.1, recomputed: -1 }]);
});

const HELD = [{ price: 101, high: 102, low: 99 }];
const STORED = { points: [0, 4], prices: [[101], [101]], highs: [[102], [102]], lows: [[99], [99]] };
/** Hours that do not move have no covariance. */
const BASIS = { covariance: Array.from({ length: 64 }, () => 0), signBefore: null };
const AT_4 = "round 7, the folder's prices at 2026-01-01T10:01:00.000Z";

/** What is found where the folder holds these prices at every point, and no price moves from hour to hour. */
function foundOfPrices(details: Partial<RoundDetails>, held: typeof HELD | null = HELD) {
  const findings = newFindings();
  const folder = {
    hourOf: () => ({ ...CANDLE, close: '100' }),
    pricesSoFar: (_assets: unknown, _hour: unknown, times: readonly Date[]) => times.map(() => held),
  };
  const round = { ...ROUND, source: 'replay:market' };
  checkPrices(roundWith({ quotes: STORED, referenceBasis: BASIS, ...details }, round), { folder, findings });
  return findings.differences;
}

test("a replay's prices within the hour are the folder's", () => {
  expect(foundOfPrices({})).toEqual([]);
  const quotes = { ...STORED, lows: [[99], [98.5]] };
  expect(foundOfPrices({ quotes })).toEqual([{ place: AT_4, name: 'lows', published: [98.5], recomputed: [99] }]);
});

test('prices that the folder lacks, and missing ones under a submission, are differences', () => {
  const names = foundOfPrices({}, null).map(({ name, published }) => [name, published]);
  expect(names).toEqual([
    ['has_prices', true],
    ['has_prices', true],
  ]);
  const figures = { edge: 0, contribution: 0, peerScore: 0, arenaEdge: null };
  const result = { id: 1, submittedAt: new Date(START.getTime() + 100_000), setAt: null, ...figures };
  const place = "round 7, the folder's prices at 2026-01-01T10:01:30.000Z";
  const missing = { place, name: 'has_prices', published: false, recomputed: true };
  expect(foundOfPrices({ results: [result] })).toEqual([missing]);
  // Nobody is without an edge because a service has left its prices out.
  expect(foundOfPrices({ results: [{ ...result, edge: null }] })).toEqual([missing]);
});

test('a covariance that does not follow from the previous hours is a difference', () => {
  const referenceBasis = { ...BASIS, covariance: BASIS.covariance.with(3, 1e-9) };
  const [difference, ...more] = foundOfPrices({ referenceBasis });
  expect({ ...difference, more }).toMatchObject({
    place: "round 7, the folder's hours before",
    name: 'covariance',
    recomputed: BASIS.covariance,
    more: [],
  });
});
