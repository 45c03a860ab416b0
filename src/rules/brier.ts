import { fraction, type Fraction, square, subtract } from './fraction.ts';

/** (c - o)^2 of one prediction, with c = confidence / 100 and o = 1 if it was correct, else 0. */
export function brierTerm(confidence: number, correct: boolean): Fraction {
  return square(subtract(fraction(confidence, 100), outcomeIndicator(correct)));
}

/** The Brier term of a guess with no knowledge: 1 / k on the pick among k answers. */
export function referenceBrierTerm(choiceCount: number, correct: boolean): Fraction {
  return square(subtract(fraction(1, choiceCount), outcomeIndicator(correct)));
}

function outcomeIndicator(correct: boolean): Fraction {
  return fraction(correct ? 1 : 0);
}
