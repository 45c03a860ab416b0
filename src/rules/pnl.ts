import {
  add,
  compare,
  divide,
  fraction,
  multiply,
  roundHalfAway,
  square,
  subtract,
  type Fraction,
} from './fraction.ts';

/** USD at risk in one round (spec 3.3): the most that one prediction can lose. */
export const STAKE_USD = 100;

const ONE = fraction(1);

/**
 * What a prediction earns against a quadratic market maker that opens at 1/k, in exact USD: with c on the pick and
 * (1 - c) / (k - 1) on each other answer, 100 (B0 - B) / (2 - B0). Honest confidence maximises its expectation.
 * Confidence below 1/k counts as 1/k: no trade.
 */
export function exactPnl(confidence: number, choiceCount: number, correct: boolean): Fraction {
  const even = fraction(1, choiceCount);
  const stated = fraction(confidence, 100);
  const pick = compare(stated, even) > 0 ? stated : even;
  const opening = subtract(ONE, even);
  const gain = subtract(opening, brierOverAnswers(pick, choiceCount, correct));
  return divide(multiply(fraction(STAKE_USD), gain), subtract(fraction(2), opening));
}

/** `exactPnl` as USD text with two decimals, half away from zero, rounded once per prediction: `"-52.00"`. */
export function pnlUsd(confidence: number, choiceCount: number, correct: boolean): string {
  return roundHalfAway(exactPnl(confidence, choiceCount, correct), 2);
}

/** Sum over all answers of (p - o)^2, o being 1 for the answer that won: the pick, or one of the others. */
function brierOverAnswers(pick: Fraction, choiceCount: number, correct: boolean): Fraction {
  const other = divide(subtract(ONE, pick), fraction(choiceCount - 1));
  const missed = correct ? square(subtract(ONE, pick)) : add(square(pick), square(subtract(ONE, other)));
  const untouched = choiceCount - (correct ? 1 : 2);
  return add(missed, multiply(fraction(untouched), square(other)));
}
