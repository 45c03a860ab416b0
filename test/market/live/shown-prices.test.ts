import { describe, expect, test } from '@jest/globals';

import { type ShownPrice, shownPrices } from '../../../src/market/live/live-quotes.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/rules/hours.ts';

const START = new Date('2026-01-01T12:00:00Z');

/** So many seconds after the hour's start. */
function at(seconds: number): Date {
  return new Date(START.getTime() + seconds * SECOND);
}

function shown(price: number, when: Date): ShownPrice {
  return { price, at: when };
}

/** Refreshes at these seconds, each of which showed one price of all assets. */
function refreshedAt(prices: Readonly<Record<number, number>>) {
  const past = shownPrices();
  for (const [seconds, price] of Object.entries(prices).toSorted(([one], [other]) => Number(one) - Number(other)))
    past.note(at(Number(seconds)), () => shown(price, at(Number(seconds))));
  return (...seconds: readonly number[]) =>
    past.soFar(['BTC'], { hourStart: START, times: seconds.map(at) }, at(3600)).map((soFar) => soFar?.[0] ?? null);
}

describe('price of a live market at an instant', () => {
  test('the price at an instant is that of the last refresh before it', () => {
    const prices = refreshedAt({ '-4': 100, 11: 101, 26: 102, 45: 103 });
    expect(prices(0, 15, 30, 44, 45).map((soFar) => soFar?.price)).toEqual([100, 101, 102, 102, 103]);
  });

  test('a price is known while its refresh is at most 60 s old', () => {
    const prices = refreshedAt({ 0: 100 });
    expect(prices(60, 61).map((soFar) => soFar?.price)).toEqual([100, undefined]);
  });

  test('a price is as old as its sources, not as its refresh', () => {
    const past = shownPrices();
    past.note(at(0), () => shown(100, at(0)));
    past.note(at(61), () => shown(100, at(0)));
    const times = [at(61)];
    expect(past.soFar(['ETH'], { hourStart: START, times }, at(61))).toEqual([null]);
  });

  test('the price is unknown while one of the assets has none', () => {
    const past = shownPrices();
    past.note(at(0), (asset) => (asset === 'SOL' ? null : shown(100, at(0))));
    const hour = { hourStart: START, times: [at(0)] };
    expect(past.soFar(['BTC', 'SOL'], hour, at(0))).toEqual([null]);
    expect(past.soFar(['BTC', 'ETH'], hour, at(0))[0]).toHaveLength(2);
  });

  test('a future price is unknown', () => {
    const past = shownPrices();
    past.note(at(0), () => shown(100, at(0)));
    expect(
      past.soFar(['BTC'], { hourStart: START, times: [at(15), at(16)] }, at(15)).map((one) => one === null),
    ).toEqual([false, true]);
  });
});

describe('high and low of a live market', () => {
  test('high and low cover the refreshes since the start of the hour', () => {
    const prices = refreshedAt({ '-40': 500, '-4': 100, 11: 110, 26: 90, 41: 95 });
    expect(prices(0, 15, 30, 45)).toEqual([
      { price: 100, high: 100, low: 100 },
      { price: 110, high: 110, low: 110 },
      { price: 90, high: 110, low: 90 },
      { price: 95, high: 110, low: 90 },
    ]);
  });
});

test('a refresh replaces one at the same instant', () => {
  const past = shownPrices();
  for (const price of [100, 101]) past.note(at(5), () => shown(price, at(5)));
  expect(past.soFar(['BTC'], { hourStart: START, times: [at(5)] }, at(5))).toEqual([
    [{ price: 101, high: 101, low: 101 }],
  ]);
});

test('the refreshes of an hour are kept for ten minutes', () => {
  const past = shownPrices();
  const every15 = (until: number) => Array.from({ length: until / 15 }, (_, place) => at(place * 15));
  for (const time of every15((HOUR + 10 * MINUTE) / SECOND)) past.note(time, () => shown(7, time));
  const times = every15(3600);
  const known = past.soFar(['DOT'], { hourStart: START, times }, at(4200)).filter((soFar) => soFar !== null);
  expect(known).toHaveLength(240);
  past.note(at(4215), () => shown(7, at(4215)));
  expect(past.soFar(['DOT'], { hourStart: START, times: [at(0)] }, at(4215))).toEqual([null]);
});
