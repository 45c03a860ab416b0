import { roundedQuotient } from './decimals.ts';
import { brierOf } from './oracle-scores.ts';

/** A prediction, and what the price alone said when it was accepted: a probability for each choice, in their order. */
export interface Judged {
  readonly choices: readonly string[];
  readonly said: readonly number[];
  readonly prediction: string;
  readonly confidence: number;
}

const MILLION = 1_000_000;

/** Brier of what the price alone said - Brier of the prediction, over all answers; each rounded to millionths before. */
export function edgeOf({ choices, said, prediction, confidence }: Judged, outcome: string): bigint {
  const missed = choices.map((choice, index) => Number(choice === outcome) - Number(said[index]));
  const ofPrice = Math.round(missed.reduce((sum, miss) => sum + miss ** 2, 0) * MILLION);
  const { units, whole } = brierOf(choices.length, confidence, prediction === outcome);
  return BigInt(ofPrice) - roundedQuotient(BigInt(MILLION) * units, whole);
}

/** What is said where no price is known. */
export function evenOdds(choices: readonly string[]): number[] {
  return choices.map(() => 1 / choices.length);
}
