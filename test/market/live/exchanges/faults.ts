import { times } from './exact.ts';
import { lyingInEveryWay } from './lies.ts';
import type { Fault } from './played-exchange.ts';
import type { PlayedCandle, PlayedMarket } from './played-market.ts';

const HOUR = 3_600_000;

/**
 * `counts`: the candle is right all the same. `out`: it is seen to be no candle to count. The others: it looks sound
 * and its prices are wrong, and in the same way where two sources have it.
 */
export type Effect = 'counts' | 'out' | 'high' | 'low' | 'high price' | 'shifted';

export interface NamedFault {
  readonly name: string;
  readonly effect: Effect;
  readonly fault: Fault;
  /** What the evidence says of it when the other two sources are honest. */
  readonly leftOut: RegExp | null;
}

const OUTSIDE = /more than 0\.5 %/;
const NO_JSON = /incomplete or invalid JSON/;
const OTHER = /did not have the expected form|HTTP 40[04]/;
const UNREACHED = /could not be reached, or its answer broke off/;

/** The faults of issue 4 and their like. The hour that is decided is the last that is over. */
export const FAULTS: readonly NamedFault[] = [
  { name: 'prices 3 % too high', effect: 'high', fault: { candles: scaledBy('1.03') }, leftOut: OUTSIDE },
  { name: 'prices 3 % too low', effect: 'low', fault: { candles: scaledBy('0.97') }, leftOut: OUTSIDE },
  { name: 'one price 3 % too high', effect: 'high price', fault: { candles: inHour(raisedHigh) }, leftOut: OUTSIDE },
  { name: 'hours named an hour late', effect: 'shifted', fault: { candles: namedLate }, leftOut: OUTSIDE },
  { name: 'late: no later candle yet', effect: 'out', fault: { candles: withoutOpen }, leftOut: /no later candle yet/ },
  {
    name: 'the hour is missing',
    effect: 'out',
    fault: { candles: inHour(() => []) },
    leftOut: /no candle of this hour/,
  },
  { name: 'no candles at all', effect: 'out', fault: { candles: () => [] }, leftOut: /no candle of this hour/ },
  { name: 'frozen without volume', effect: 'out', fault: { candles: inHour(frozen) }, leftOut: /no trade/ },
  {
    name: 'frozen on the hour before',
    effect: 'out',
    fault: { candles: repeated },
    leftOut: /repeats the candle of the hour before/,
  },
  {
    name: 'symbol renamed',
    effect: 'out',
    fault: { reply: (reply, { unknownSymbol }) => ({ ...reply, ...unknownSymbol }) },
    leftOut: OTHER,
  },
  {
    name: '200 with an error body',
    effect: 'out',
    fault: { reply: (reply, { outOfOrder }) => ({ ...reply, text: outOfOrder }) },
    leftOut: OTHER,
  },
  { name: '200 with `null`', effect: 'out', fault: { reply: (reply) => ({ ...reply, text: 'null' }) }, leftOut: OTHER },
  {
    name: '429 with Retry-After',
    effect: 'out',
    fault: { reply: (reply) => ({ ...reply, status: 429, headers: { 'retry-after': '7' } }) },
    leftOut: /HTTP 429: requests are paused for 7 s/,
  },
  {
    name: '418',
    effect: 'out',
    fault: { reply: (reply) => ({ ...reply, status: 418 }) },
    leftOut: /HTTP 418: requests are paused for 10 s/,
  },
  { name: '500', effect: 'out', fault: { reply: (reply) => ({ ...reply, status: 500 }) }, leftOut: /HTTP 500/ },
  {
    name: 'redirect',
    effect: 'out',
    fault: { reply: (reply) => ({ ...reply, status: 302, headers: { location: '/elsewhere' } }) },
    leftOut: UNREACHED,
  },
  { name: 'hangs', effect: 'out', fault: { hangs: true }, leftOut: /did not answer within/ },
  { name: 'closes the connection', effect: 'out', fault: { reply: () => 'close' }, leftOut: UNREACHED },
  { name: 'breaks off half-way', effect: 'out', fault: { reply: () => 'break off' }, leftOut: UNREACHED },
  {
    name: 'truncated JSON',
    effect: 'out',
    fault: { reply: (reply) => ({ ...reply, text: reply.text.slice(0, -2) }) },
    leftOut: NO_JSON,
  },
  {
    name: 'a stray byte after the JSON',
    effect: 'out',
    fault: { reply: (reply) => ({ ...reply, text: `${reply.text}\0` }) },
    leftOut: NO_JSON,
  },
  {
    name: 'huge body',
    effect: 'out',
    fault: { reply: (reply) => ({ ...reply, text: reply.text + ' '.repeat(2 ** 21) }) },
    leftOut: /longer than/,
  },
  {
    name: 'HTML content type',
    effect: 'out',
    fault: { reply: (reply) => ({ ...reply, headers: { 'content-type': 'text/html' } }) },
    leftOut: /was not JSON/,
  },
  { name: 'clock 30 min off the grid', effect: 'out', fault: { candles: movedBy(HOUR / 2) }, leftOut: /whole hours/ },
  { name: 'clock an hour ahead', effect: 'out', fault: { candles: movedBy(HOUR) }, leftOut: /have not begun/ },
  { name: 'clock an hour behind', effect: 'out', fault: { candles: movedBy(-HOUR) }, leftOut: /no later candle yet/ },
  {
    name: 'the hour twice, differing',
    effect: 'out',
    fault: { candles: inHour((candle) => [candle, ...raisedHigh(candle)]) },
    leftOut: /twice/,
  },
  {
    name: 'the hour twice, the same',
    effect: 'counts',
    fault: { candles: inHour((candle) => [candle, candle]) },
    leftOut: null,
  },
  {
    name: 'zero price',
    effect: 'out',
    fault: { candles: inHour((candle) => [{ ...candle, low: '0.00' }]) },
    leftOut: /low is not above 0/,
  },
  {
    name: 'negative price',
    effect: 'out',
    fault: { candles: inHour((candle) => [{ ...candle, close: `-${candle.close}` }]) },
    leftOut: /close is not above 0/,
  },
  {
    name: 'negative volume',
    effect: 'out',
    fault: { candles: inHour((candle) => [{ ...candle, volume: '-3.5' }]) },
    leftOut: /volume is below 0/,
  },
  {
    name: 'exponent number',
    effect: 'out',
    fault: { candles: inHour((candle) => [{ ...candle, open: `${candle.open}e0` }]) },
    leftOut: /open is no plain decimal/,
  },
  {
    name: 'null for a figure',
    effect: 'out',
    fault: { candles: inHour((candle) => [{ ...candle, high: 'null' }]) },
    leftOut: /high is no plain decimal/,
  },
  {
    name: 'low above the open',
    effect: 'out',
    fault: { candles: inHour((candle) => [{ ...candle, low: candle.high }]) },
    leftOut: /low is above/,
  },
  {
    name: 'high far above the low',
    effect: 'out',
    fault: { candles: inHour((candle) => [{ ...candle, high: times(candle.low, '1001') }]) },
    leftOut: /more than 1000 times its low/,
  },
  { name: 'numbers and strings swapped', effect: 'counts', fault: { swapped: true }, leftOut: null },
  { name: 'lies in every way', effect: 'out', fault: lyingInEveryWay(), leftOut: /\.$/ },
];

type ChangeAll = (candles: readonly PlayedCandle[], market: PlayedMarket) => readonly PlayedCandle[];

function faultyHour(market: PlayedMarket): number {
  return market.faultyHour?.getTime() ?? Math.floor(market.now.getTime() / HOUR) * HOUR - HOUR;
}

/** Changes the candle of the hour that is decided, and no other. */
function inHour(change: (candle: PlayedCandle) => readonly PlayedCandle[]): ChangeAll {
  return (candles, market) =>
    candles.flatMap((candle) => (candle.start === faultyHour(market) ? change(candle) : [candle]));
}

function scaledBy(factor: string): ChangeAll {
  return (candles) =>
    candles.map(({ start, open, high, low, close, volume }) => {
      const [o, h, l, c] = [times(open, factor), times(high, factor), times(low, factor), times(close, factor)];
      return { start, volume, open: o, high: h, low: l, close: c };
    });
}

function raisedHigh(candle: PlayedCandle): readonly PlayedCandle[] {
  return [{ ...candle, high: times(candle.high, '1.03') }];
}

function frozen(candle: PlayedCandle): readonly PlayedCandle[] {
  return [{ ...candle, high: candle.open, low: candle.open, close: candle.open, volume: '0.00' }];
}

function repeated(candles: readonly PlayedCandle[], market: PlayedMarket): readonly PlayedCandle[] {
  const before = candles.find(({ start }) => start === faultyHour(market) - HOUR);
  return inHour((candle) => [{ ...(before ?? candle), start: candle.start }])(candles, market);
}

function movedBy(ms: number): ChangeAll {
  return (candles) => candles.map((candle) => ({ ...candle, start: candle.start + ms }));
}

/** Each hour carries the figures of the hour before, and nothing gives it away but the prices. */
function namedLate(candles: readonly PlayedCandle[]): readonly PlayedCandle[] {
  const moved = movedBy(HOUR)(candles, { now: new Date(0), candles: () => [] });
  return moved.filter(({ start }) => candles.some((candle) => candle.start === start));
}

function withoutOpen(candles: readonly PlayedCandle[], market: PlayedMarket): readonly PlayedCandle[] {
  return candles.filter(({ start }) => start <= faultyHour(market));
}
