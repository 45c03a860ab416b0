import { CANDLE_PRICES, type Candle } from '../rules/candle.ts';
import { compareDecimals, isDecimal, isPositive, largerDecimal, smallerDecimal, sumDecimals } from './decimals.ts';

/** Prices and volume (in units of the asset) of a candle of any step: exact decimals, as the source wrote them. */
export interface Figures extends Candle {
  readonly volume: string;
}

export const FIGURES = [...CANDLE_PRICES, 'volume'] as const;

/** A larger move within one hour is an error, and its return might not fit the column. */
const MAX_RISE = 1000;

export function figuresOf<Figure>(figure: (name: keyof Figures) => Figure): Record<keyof Figures, Figure> {
  return {
    open: figure('open'),
    high: figure('high'),
    low: figure('low'),
    close: figure('close'),
    volume: figure('volume'),
  };
}

export function sameFigures(one: Figures, other: Figures): boolean {
  return FIGURES.every((name) => one[name] === other[name]);
}

export function figuresFault(candle: Figures): string | null {
  const unreadable = FIGURES.find((name) => !isDecimal(candle[name]));
  if (unreadable !== undefined) return `Its ${unreadable} is no plain decimal number.`;
  const notPositive = CANDLE_PRICES.find((name) => !isPositive(candle[name]));
  if (notPositive !== undefined) return `Its ${notPositive} is not above 0.`;
  if (candle.volume.startsWith('-')) return 'Its volume is below 0.';
  if (!isHighest(candle)) return 'Its high is below another of its prices.';
  if (!isLowest(candle)) return 'Its low is above another of its prices.';
  if (Number(candle.high) > MAX_RISE * Number(candle.low)) return `Its high is more than ${MAX_RISE} times its low.`;
  return null;
}

export function isInRange(candle: Candle): boolean {
  return isHighest(candle) && isLowest(candle);
}

function isHighest({ open, high, close }: Candle): boolean {
  return compareDecimals(high, largerDecimal(open, close)) >= 0;
}

function isLowest({ open, low, close }: Candle): boolean {
  return compareDecimals(low, smallerDecimal(open, close)) <= 0;
}

export function addUp(candles: readonly Figures[]): Figures | null {
  const [first] = candles;
  const last = candles.at(-1);
  if (first === undefined || last === undefined) return null;
  return {
    open: first.open,
    high: candles.map(({ high }) => high).reduce(largerDecimal),
    low: candles.map(({ low }) => low).reduce(smallerDecimal),
    close: last.close,
    volume: sumDecimals(candles.map(({ volume }) => volume)),
  };
}
