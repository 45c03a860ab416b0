/** A range of rates, from 0 to 1. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The standard normal's 97.5 % point. */
const Z95 = 1.959963984540054;

/** Wilson's 95 % interval of a rate of which `hits` in `n` were seen; null when n is 0. Contains hits / n. */
export function wilson95(hits: number, n: number): Interval | null {
  if (n === 0) return null;
  const rate = hits / n;
  const weight = Z95 ** 2 / n;
  const centre = (rate + weight / 2) / (1 + weight);
  const reach = (Z95 * Math.sqrt((rate * (1 - rate) + weight / 4) / n)) / (1 + weight);
  // At 0 and n hits the bound is the rate itself, which the last bits of a float can miss.
  return { low: Math.max(0, Math.min(rate, centre - reach)), high: Math.min(1, Math.max(rate, centre + reach)) };
}
