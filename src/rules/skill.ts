import { fraction, square, subtract, type Fraction } from './fraction.ts';

/** (c - o)^2 of one prediction, with c = confidence / 100 and o = 1 if it was correct, else 0. */
export function brier(confidence: number, correct: boolean): Fraction {
  return square(subtract(fraction(confidence, 100), outcomeIndicator(correct)));
}

/** The Brier term of a guess with no knowledge: 1 / k on the pick among k answers. */
export function referenceBrier(choiceCount: number, correct: boolean): Fraction {
  return square(subtract(fraction(1, choiceCount), outcomeIndicator(correct)));
}

/** d of decisions.md: reference - Brier of one prediction, positive where it beat the guess. */
export function skillTerm(confidence: number, choiceCount: number, correct: boolean): Fraction {
  return subtract(referenceBrier(choiceCount, correct), brier(confidence, correct));
}

function outcomeIndicator(correct: boolean): Fraction {
  return fraction(correct ? 1 : 0);
}
