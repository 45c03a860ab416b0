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

/** Points by confidence (spec 3.3), from the boldest band down; a band reaches from `from` to the next one above. */
export const CONFIDENCE_BANDS = [
  { from: 80, correct: 100, wrong: -50 },
  { from: 50, correct: 60, wrong: -30 },
  { from: 0, correct: 30, wrong: -10 },
] as const;

/** Points that every scored prediction gets, right or wrong (spec 3.3). */
export const CONSISTENCY_BONUS = 10;

/** The score of one prediction: table points and consistency bonus. Streaks never enter: correct at 85 is always 110. */
export function scoreOf(confidence: number, correct: boolean): number {
  const band = CONFIDENCE_BANDS.find(({ from }) => confidence >= from);
  if (band === undefined) throw new RangeError(`confidence ${confidence} is below every band`);
  return (correct ? band.correct : band.wrong) + CONSISTENCY_BONUS;
}

/** Extra points for consecutive wins (spec 3.3), from the shortest streak up. */
export const STREAK_STEPS = [
  { wins: 3, bonus: 5 },
  { wins: 5, bonus: 10 },
  { wins: 10, bonus: 15 },
  { wins: 20, bonus: 25 },
] as const;

/** The bonus of the win that brought the streak to `streak`: the highest step reached alone, 0 below the first. */
export function streakBonus(streak: number): number {
  return STREAK_STEPS.findLast(({ wins }) => streak >= wins)?.bonus ?? 0;
}

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
