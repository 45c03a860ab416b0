import { add, divide, fraction, parseDecimal, toDecimal } from '../rules/fraction.ts';
import { compareDecimals } from './decimal-text.ts';

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
