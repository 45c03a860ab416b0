/*
 * The edge of a prediction: how much closer it came to what happened than what the price alone said at the moment of its
 * submission. Both are judged by the Brier score over all answers, sum of (p - o)^2 with o = 1 for the answer that won:
 * 0 is best, 2 worst. The score is proper, so honesty is optimal; a copy of the reference has an edge of 0.
 */

/** A prediction as far as its edge goes: percent from 0 to 100, and the place of its answer among the choices. */
export interface Picked {
  readonly confidence: number;
  readonly pickIndex: number;
}

/**
 * The probability that a prediction gives each of `choiceCount` answers, in the order of the choices: c on the pick and
 * (1 - c) / (k - 1) on each other one, with c = confidence / 100 and at least 1 / k. The vector of the sim P&L.
 */
export function forecastOf({ confidence, pickIndex }: Picked, choiceCount: number): readonly number[] {
  const pick = statedProbability(confidence, choiceCount);
  const other = (1 - pick) / (choiceCount - 1);
  return Array.from({ length: choiceCount }, (_, index) => (index === pickIndex ? pick : other));
}

/** The Brier score, from 0 to 2, of a probability for each answer when the answer at `winnerIndex` won. */
export function referenceBrier(reference: readonly number[], winnerIndex: number): number {
  if (!(winnerIndex in reference)) {
    throw new RangeError(`the winner must be one of ${reference.length} answers (got index ${winnerIndex})`);
  }
  return reference.reduce((sum, probability, index) => {
    const miss = index === winnerIndex ? 1 - probability : probability;
    return sum + miss * miss;
  }, 0);
}

/**
 * The Brier score, from 0 to 2, of the vector that a prediction stands for. It depends on confidence and correctness
 * alone, to the last bit, so a table of 202 rows serves all predictions of a round.
 */
export function ownBrier(confidence: number, choiceCount: number, correct: boolean): number {
  const pick = statedProbability(confidence, choiceCount);
  const other = (1 - pick) / (choiceCount - 1);
  const missed = correct ? (1 - pick) * (1 - pick) : pick * pick + (1 - other) * (1 - other);
  return missed + (choiceCount - (correct ? 1 : 2)) * other * other;
}

/** Brier(reference) - Brier(own), from -2 to 2; above 0 where the prediction knew more than the price. */
export function edgeOf(reference: readonly number[], { confidence, pickIndex }: Picked, winnerIndex: number): number {
  const own = ownBrier(confidence, reference.length, pickIndex === winnerIndex);
  return referenceBrier(reference, winnerIndex) - own;
}

function statedProbability(confidence: number, choiceCount: number): number {
  return Math.max(confidence / 100, 1 / choiceCount);
}
