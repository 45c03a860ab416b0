import { BOUNDS } from './bounds.ts';
import { RULES, type RulesVersion } from './versions.ts';

/*
 * The edge of a prediction is Brier(price alone at its submission) - Brier(prediction). Brier is the sum over all answers
 * of (p - o)^2 with o = 1 for the winner, from 0 (best) to 2. The score is proper: honesty is optimal, and a copy of the
 * reference has an edge of 0. The reference is at most 0.98 while a question is open. Edges bound predictions the same
 * way, so that claiming certainty earns nothing.
 */

/** `confidence` is in percent; `pickIndex` is the answer's index among the choices. */
export interface PickedAnswer {
  readonly confidence: number;
  readonly pickIndex: number;
}

/** c on the pick and (1 - c) / (k - 1) on each other answer, with c = confidence / 100 and at least 1 / k. */
export function forecastOf({ confidence, pickIndex }: PickedAnswer, choiceCount: number): readonly number[] {
  const pick = statedProbability(confidence, choiceCount);
  const other = (1 - pick) / (choiceCount - 1);
  return Array.from({ length: choiceCount }, (_, index) => (index === pickIndex ? pick : other));
}

export function referenceBrier(reference: readonly number[], winnerIndex: number): number {
  if (!(winnerIndex in reference)) {
    throw new RangeError(`the winner must be one of ${reference.length} answers (got index ${winnerIndex})`);
  }
  return reference.reduce((sum, probability, index) => {
    const miss = index === winnerIndex ? 1 - probability : probability;
    return sum + miss * miss;
  }, 0);
}

/** From 0 to 2. Depends on confidence and correctness alone, to the last bit: 202 rows serve a round. */
export function ownBrier(confidence: number, choiceCount: number, correct: boolean): number {
  return brierOfPick(statedProbability(confidence, choiceCount), choiceCount, correct);
}

/** The same with at most 0.98 on the pick, which brings all answers within `BOUNDS`. */
export function boundedBrier(confidence: number, choiceCount: number, correct: boolean): number {
  return brierOfPick(Math.min(BOUNDS.max, statedProbability(confidence, choiceCount)), choiceCount, correct);
}

/** Brier(reference) - Brier(own), from -2 to 2; above 0 where the prediction beat the price. */
export function edgeOf(
  reference: readonly number[],
  { confidence, pickIndex }: PickedAnswer,
  { winnerIndex, version }: { readonly winnerIndex: number; readonly version: RulesVersion },
): number {
  const brier = RULES[version].boundedEdge && !isSettled(reference) ? boundedBrier : ownBrier;
  return referenceBrier(reference, winnerIndex) - brier(confidence, reference.length, pickIndex === winnerIndex);
}

/** True if the price alone has decided the question: only then does an answer have probability 1. */
export function isSettled(reference: readonly number[]): boolean {
  return reference.includes(1);
}

function statedProbability(confidence: number, choiceCount: number): number {
  return Math.max(confidence / 100, 1 / choiceCount);
}

function brierOfPick(pick: number, choiceCount: number, correct: boolean): number {
  const other = (1 - pick) / (choiceCount - 1);
  const missed = correct ? (1 - pick) * (1 - pick) : pick * pick + (1 - other) * (1 - other);
  return missed + (choiceCount - (correct ? 1 : 2)) * other * other;
}
