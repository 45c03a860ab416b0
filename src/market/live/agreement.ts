import { CANDLE_PRICES } from '../../rules/candle.ts';
import {
  absolute,
  add,
  compare,
  divide,
  fraction,
  type Fraction,
  parseDecimal,
  subtract,
  toDecimal,
} from '../../rules/fraction.ts';
import { compareDecimals } from '../decimals.ts';
import { type Figures, figuresOf } from '../figures.ts';

/**
 * What final candles of one hour come to. `too_few`: fewer than needed. `apart`: enough, but no set that agrees.
 * `ambiguous`: two equally large sets agree equally closely, and which is right cannot be told.
 */
export type Agreement<T> =
  | { readonly kind: 'agreed'; readonly members: readonly T[]; readonly figures: Figures }
  | { readonly kind: 'too_few' | 'apart' | 'ambiguous' };

/** How far a price may lie from the median of those that agree. */
const TOLERANCE: Fraction = fraction(5, 1000);

/**
 * The largest set of at least `min` candles whose open, high, low and close all lie within 0.5 % (the edge included) of
 * the set's median of that price, and these medians; volume is the median too, but need not agree. Of equally large sets
 * the closest one is taken: two sound sources agree more closely than either does with one that is somewhat wrong.
 */
export function agree<T extends Figures>(finals: readonly T[], min: number): Agreement<T> {
  if (finals.length < min) return { kind: 'too_few' };
  for (let size = finals.length; size >= min; size--) {
    const sets = subsets(finals, size).map((members) => ({ members, spread: spreadOf(members) }));
    const [closest, next] = sets
      .filter(({ spread }) => compare(spread, TOLERANCE) <= 0)
      .toSorted((one, other) => compare(one.spread, other.spread));
    if (closest === undefined) continue;
    if (next !== undefined && compare(closest.spread, next.spread) === 0) return { kind: 'ambiguous' };
    return { kind: 'agreed', members: closest.members, figures: medians(closest.members) };
  }
  return { kind: 'apart' };
}

/** How far any price of these candles lies from their median of that price at most, as a fraction of the median. */
function spreadOf(candles: readonly Figures[]): Fraction {
  return CANDLE_PRICES.flatMap((name) => {
    const prices = candles.map((candle) => candle[name]);
    const median = parseDecimal(medianDecimal(prices));
    return prices.map((price) => divide(absolute(subtract(parseDecimal(price), median)), median));
  }).reduce((max, spread) => (compare(spread, max) > 0 ? spread : max));
}

function medians(candles: readonly Figures[]): Figures {
  return figuresOf((name) => medianDecimal(candles.map((candle) => candle[name])));
}

function subsets<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  if (size === 0) return [[]];
  return items.flatMap((first, place) => subsets(items.slice(place + 1), size - 1).map((rest) => [first, ...rest]));
}

/**
 * The median of plain decimals: the middle one as it is written, or of an even number the exact mean of the middle two.
 * Throws `RangeError` for none.
 */
export function medianDecimal(values: readonly string[]): string {
  const [left, right] = middle(values.toSorted(compareDecimals));
  return left === right ? left : toDecimal(divide(add(parseDecimal(left), parseDecimal(right)), fraction(2)));
}

/** The median of numbers that are only shown, never compared with a bound. */
export function medianNumber(values: readonly number[]): number {
  const [left, right] = middle(values.toSorted((one, other) => one - other));
  return (left + right) / 2;
}

/** The middle two of an ascending list; the middle one twice when its length is odd. */
function middle<T>(sorted: readonly T[]): readonly [T, T] {
  const left = sorted[(sorted.length - 1) >> 1];
  const right = sorted[sorted.length >> 1];
  if (left === undefined || right === undefined) throw new RangeError('there is no median of nothing');
  return [left, right];
}
