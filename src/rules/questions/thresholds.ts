import { ASSETS, type ByAsset } from '../assets.ts';
import type { Candle } from '../candle.ts';
import {
  compare,
  divide,
  fraction,
  type Fraction,
  multiply,
  parseDecimal,
  roundHalfAway,
  toDecimal,
} from '../fraction.ts';
import { riserCount } from './evidence.ts';
import type { Direction, HistoryHour, Plan, QuestionParams } from './question.ts';
import { stated } from './wording.ts';

export const HISTORY_HOURS = 7 * 24;

const HISTORY_MIN_HOURS = 24;

export type Fit = (plan: Plan, history: readonly HistoryHour[]) => Pick<QuestionParams, 'thresholdPct' | 'n'>;

export interface Level {
  readonly size: (candle: Candle, direction: Direction | null) => Fraction;
  /** Percentage of past hours with a size below the threshold. */
  readonly below: number;
  readonly usualPct: ByAsset<string>;
}

const SMALLEST_PCT = '0.01';

/** The threshold is a quantile of past sizes, rounded to two digits, with the sign of the direction. */
export function levelFit({ size, below, usualPct }: Level): Fit {
  return ({ subject, direction }, history) => {
    const asset = stated(subject, 'subject');
    const sizes = history.flatMap(({ [asset]: candle }) => (candle === undefined ? [] : [size(candle, direction)]));
    const pct = sizes.length < HISTORY_MIN_HOURS ? usualPct[asset] : readablePct(quantile(sizes, below));
    return { thresholdPct: direction === 'down' ? `-${pct}` : pct, n: null };
  };
}

/** The n for which "at least n assets rose" was true nearest to half of the past hours. */
export function evenCountFit(usualCount: number): Fit {
  return (_, history) => {
    const hours = history.filter((hour) => ASSETS.every((asset) => hour[asset] !== undefined));
    const counts = hours.map((hour) => riserCount(ASSETS, hour));
    return { thresholdPct: null, n: counts.length < HISTORY_MIN_HOURS ? usualCount : evenCount(counts) };
  };
}

/** A fraction as percent with two significant digits, at least 0.01: 0.003456 is `"0.35"`. */
export function readablePct(value: Fraction): string {
  const pct = multiply(value, fraction(100));
  const smallest = parseDecimal(SMALLEST_PCT);
  const size = compare(pct, smallest) < 0 ? smallest : pct;
  return toDecimal(toTwoDigits(size));
}

function toTwoDigits(size: Fraction): Fraction {
  let unit = fraction(1, 1000);
  while (compare(size, multiply(unit, fraction(100))) >= 0) unit = multiply(unit, fraction(10));
  return multiply(parseDecimal(roundHalfAway(divide(size, unit), 0)), unit);
}

function quantile(values: readonly Fraction[], below: number): Fraction {
  const value = values.toSorted(compare)[Math.floor((values.length * below) / 100)];
  if (value === undefined) throw new RangeError(`no quantile ${below} of ${values.length} values`);
  return value;
}

function evenCount(counts: readonly number[]): number {
  const unevenness = (n: number): number => Math.abs(2 * counts.filter((count) => count >= n).length - counts.length);
  return ASSETS.map((_, index) => index + 1).reduce((best, n) => (unevenness(n) < unevenness(best) ? n : best));
}

type LevelType = 'threshold' | 'touch' | 'magnitude' | 'range';

/** Thresholds in percent without history: `Level.below` over all hours from May 2021 to March 2023 (Binance spot). */
export const USUAL_PCT: Readonly<Record<LevelType, ByAsset<string>>> = {
  threshold: {
    BTC: '0.059',
    ETH: '0.078',
    SOL: '0.13',
    AVAX: '0.12',
    DOGE: '0.095',
    ADA: '0.1',
    LINK: '0.12',
    DOT: '0.12',
  },
  touch: { BTC: '0.33', ETH: '0.42', SOL: '0.66', AVAX: '0.65', DOGE: '0.51', ADA: '0.5', LINK: '0.59', DOT: '0.56' },
  magnitude: {
    BTC: '0.29',
    ETH: '0.38',
    SOL: '0.62',
    AVAX: '0.63',
    DOGE: '0.47',
    ADA: '0.48',
    LINK: '0.56',
    DOT: '0.53',
  },
  range: { BTC: '0.58', ETH: '0.76', SOL: '1.2', AVAX: '1.2', DOGE: '0.91', ADA: '0.9', LINK: '1', DOT: '1' },
};

export const USUAL_BREADTH = 4;
