import { CANDLE_PRICES, type Candle } from '../rules/candle.ts';
import { absolute, compare, divide, fraction, parseDecimal, subtract, type Fraction } from '../rules/fraction.ts';
import { medianDecimal } from './median.ts';

export interface Figures extends Candle {
  readonly volume: string;
}

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
 * The largest set of at least `least` candles whose open, high, low and close all lie within 0.5 % (the edge included) of
 * the set's median of that price, and these medians; volume is the median too, but need not agree. Of equally large sets
 * the closest one is taken: two sound sources agree more closely than either does with one that is somewhat wrong.
 */
export function agree<T extends Figures>(finals: readonly T[], least: number): Agreement<T> {
  if (finals.length < least) return { kind: 'too_few' };
  for (let size = finals.length; size >= least; size--) {
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
  }).reduce((most, spread) => (compare(spread, most) > 0 ? spread : most));
}

function medians(candles: readonly Figures[]): Figures {
  const median = (name: keyof Figures): string => medianDecimal(candles.map((candle) => candle[name]));
  return {
    open: median('open'),
    high: median('high'),
    low: median('low'),
    close: median('close'),
    volume: median('volume'),
  };
}

function subsets<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  if (size === 0) return [[]];
  return items.flatMap((first, place) => subsets(items.slice(place + 1), size - 1).map((rest) => [first, ...rest]));
}
