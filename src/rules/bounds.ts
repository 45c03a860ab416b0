/** What has not happened yet is never said to be surer than this. */
export const BOUNDS = { min: 0.02, max: 0.98 } as const;

/** The least that any of `choiceCount` answers has: what the surest answer leaves, shared out. */
function leastOf(choiceCount: number): number {
  return BOUNDS.min / (choiceCount - 1);
}

/**
 * Probabilities that add up to 1, each at least 0.02 / (k - 1) and so none above 0.98: those below it are raised to it, and
 * the others make room in proportion, until none is below.
 */
export function withinBounds(probabilities: readonly number[]): readonly number[] {
  const least = leastOf(probabilities.length);
  let bounded = probabilities;
  while (bounded.some((probability) => probability < least)) {
    const isLow = bounded.map((probability) => probability <= least);
    const low = isLow.filter(Boolean).length;
    const others = bounded.reduce((sum, probability, index) => (isLow[index] === true ? sum : sum + probability), 0);
    const share = (1 - low * least) / others;
    bounded = bounded.map((probability, index) => (isLow[index] === true ? least : probability * share));
  }
  return bounded;
}

/** As version 1 of the rules has it: each is cut at the bounds and all are scaled to add up to 1, which moves them again. */
export function scaledAfterBounds(probabilities: readonly number[]): readonly number[] {
  const least = leastOf(probabilities.length);
  const bounded = probabilities.map((value) => Math.min(BOUNDS.max, Math.max(least, value)));
  const sum = bounded.reduce((total, value) => total + value, 0);
  return bounded.map((value) => value / sum);
}

/** A probability whose logarithm is taken: within 0.01 to 0.99, so that one miss of who was certain is not beyond measure. */
export function clipped(probability: number): number {
  return Math.min(0.99, Math.max(0.01, probability));
}
