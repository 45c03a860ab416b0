import { BOUNDS } from './bounds.ts';
import { RULES, type RulesVersion } from './versions.ts';

/*
 * The edge of a prediction: how much closer it came to what happened than what the price alone said at the moment of its
 * submission. Both are judged by the Brier score over all answers, sum of (p - o)^2 with o = 1 for the answer that won:
 * 0 is best, 2 worst. The score is proper, so honesty is optimal; a copy of the reference has an edge of 0. The reference
 * never says more than 0.98 of what is not settled, so neither does a prediction as far as its edge goes: what is left out of
 * both cannot be earned by claiming it.
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
  return brierOfPick(statedProbability(confidence, choiceCount), choiceCount, correct);
}

/** The same of that vector within the bounds of `src/rules/bounds.ts`: they hold once the pick has at most 0.98. */
export function boundedBrier(confidence: number, choiceCount: number, correct: boolean): number {
  return brierOfPick(Math.min(BOUNDS.max, statedProbability(confidence, choiceCount)), choiceCount, correct);
}

/** Brier(reference) - Brier(own), from -2 to 2; above 0 where the prediction knew more than the price. */
export function edgeOf(
  reference: readonly number[],
  { confidence, pickIndex }: Picked,
  { winnerIndex, version }: { readonly winnerIndex: number; readonly version: RulesVersion },
): number {
  const brier = RULES[version].boundedEdge && !isSettled(reference) ? boundedBrier : ownBrier;
  return referenceBrier(reference, winnerIndex) - brier(confidence, reference.length, pickIndex === winnerIndex);
}

/** Whether the price alone has decided the question: only then does an answer have 1. */
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
