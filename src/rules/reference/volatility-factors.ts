/**
 * By what the standard deviation of the last 7 days is multiplied in the hour to come, each with the same probability:
 * how wild an hour becomes is not known before, and normals of one width are too sure in the tails. FITTED
 */
export const VOLATILITY_FACTORS = [0.42, 0.62, 0.82, 1.08, 1.6] as const;

/** The mean of a probability over how wild the rest of the hour may become. */
export function overVolatilities(deviation: number, probability: (deviation: number) => number): number {
  const sum = VOLATILITY_FACTORS.reduce((total, factor) => total + probability(factor * deviation), 0);
  return sum / VOLATILITY_FACTORS.length;
}
