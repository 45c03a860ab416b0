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

/** `too_few`: fewer candles than needed. `apart`: no set agrees. `ambiguous`: two equally large sets agree equally closely. */
export type Agreement<T> =
  | { readonly kind: 'agreed'; readonly members: readonly T[]; readonly figures: Figures }
  | { readonly kind: 'too_few' | 'apart' | 'ambiguous' };

const TOLERANCE: Fraction = fraction(5, 1000);

/**
 * Volume need not agree. The closest of equally large sets wins: sound sources agree more closely with each other than with a
 * wrong one.
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
    const { members } = closest;
    const figures = figuresOf((name) => medianDecimal(members.map((candle) => candle[name])));
    return { kind: 'agreed', members, figures };
  }
  return { kind: 'apart' };
}

function spreadOf(candles: readonly Figures[]): Fraction {
  return CANDLE_PRICES.flatMap((name) => {
    const prices = candles.map((candle) => candle[name]);
    const median = parseDecimal(medianDecimal(prices));
    return prices.map((price) => divide(absolute(subtract(parseDecimal(price), median)), median));
  }).reduce((max, spread) => (compare(spread, max) > 0 ? spread : max));
}

function subsets<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  if (size === 0) return [[]];
  return items.flatMap((first, index) => subsets(items.slice(index + 1), size - 1).map((rest) => [first, ...rest]));
}

/** The middle one as it is written, or the exact mean of the middle two. Throws `RangeError` for none. */
export function medianDecimal(values: readonly string[]): string {
  const [left, right] = middle(values.toSorted(compareDecimals));
  return left === right ? left : toDecimal(divide(add(parseDecimal(left), parseDecimal(right)), fraction(2)));
}

/** For numbers that are only shown, never compared with a bound. */
export function medianNumber(values: readonly number[]): number {
  const [left, right] = middle(values.toSorted((one, other) => one - other));
  return (left + right) / 2;
}

function middle<T>(sorted: readonly T[]): readonly [T, T] {
  const left = sorted[(sorted.length - 1) >> 1];
  const right = sorted[sorted.length >> 1];
  if (left === undefined || right === undefined) throw new RangeError('there is no median of nothing');
  return [left, right];
}
