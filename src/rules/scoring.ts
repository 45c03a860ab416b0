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

/** Points by confidence (spec 3.3); a band reaches up to the `from` of the one above. */
export const CONFIDENCE_BANDS = [
  { from: 80, correct: 100, wrong: -50 },
  { from: 50, correct: 60, wrong: -30 },
  { from: 0, correct: 30, wrong: -10 },
] as const;

/** Every scored prediction earns these (spec 3.3). */
export const CONSISTENCY_BONUS = 10;

/** Table points and consistency bonus. Streaks never count: correct at 85 is always 110. */
export function scoreOf(confidence: number, correct: boolean): number {
  const band = CONFIDENCE_BANDS.find(({ from }) => confidence >= from);
  if (band === undefined) throw new RangeError(`confidence ${confidence} is below every band`);
  return (correct ? band.correct : band.wrong) + CONSISTENCY_BONUS;
}

/** Bonuses for consecutive wins (spec 3.3), ascending. */
export const STREAK_STEPS = [
  { wins: 3, bonus: 5 },
  { wins: 5, bonus: 10 },
  { wins: 10, bonus: 15 },
  { wins: 20, bonus: 25 },
] as const;

export function streakBonus(streak: number): number {
  return STREAK_STEPS.findLast(({ wins }) => streak >= wins)?.bonus ?? 0;
}

export const STAKE_USD = 100;

const ONE = fraction(1);

/** Exact USD against a quadratic market maker that opens at 1/k: 100 (B0 - B) / (2 - B0). Honesty is optimal. */
export function exactPnl(confidence: number, choiceCount: number, correct: boolean): Fraction {
  const even = fraction(1, choiceCount);
  const stated = fraction(confidence, 100);
  const pick = compare(stated, even) > 0 ? stated : even;
  const opening = subtract(ONE, even);
  const gain = subtract(opening, brierOverAnswers(pick, choiceCount, correct));
  return divide(multiply(fraction(STAKE_USD), gain), subtract(fraction(2), opening));
}

/** `exactPnl` as text with two decimals, half away from zero, rounded once per prediction: `"-52.00"`. */
export function pnlUsd(confidence: number, choiceCount: number, correct: boolean): string {
  return roundHalfAway(exactPnl(confidence, choiceCount, correct), 2);
}

/** Sum over all answers of (p - o)^2, with o = 1 for the winner: the pick, or one of the others. */
function brierOverAnswers(pick: Fraction, choiceCount: number, correct: boolean): Fraction {
  const other = divide(subtract(ONE, pick), fraction(choiceCount - 1));
  const missed = correct ? square(subtract(ONE, pick)) : add(square(pick), square(subtract(ONE, other)));
  const untouched = choiceCount - (correct ? 1 : 2);
  return add(missed, multiply(fraction(untouched), square(other)));
}
