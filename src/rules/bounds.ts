/** Probabilities of open questions are clamped to this range. */
export const BOUNDS = { min: 0.02, max: 0.98 } as const;

/** The smallest probability of an answer: 1 minus the largest, shared by the others. */
function leastOf(choiceCount: number): number {
  return BOUNDS.min / (choiceCount - 1);
}

/** Raises probabilities below 0.02 / (k - 1) to it and scales down the others, until none is below. */
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

/** Version 1 of the rules clamps first and then scales to 1, which moves values across the bounds again. */
export function scaledAfterBounds(probabilities: readonly number[]): readonly number[] {
  const least = leastOf(probabilities.length);
  const bounded = probabilities.map((value) => Math.min(BOUNDS.max, Math.max(least, value)));
  const sum = bounded.reduce((total, value) => total + value, 0);
  return bounded.map((value) => value / sum);
}

/** Clamps a probability to 0.01-0.99 before its logarithm, so that one certain miss stays finite. */
export function clipped(probability: number): number {
  return Math.min(0.99, Math.max(0.01, probability));
}
