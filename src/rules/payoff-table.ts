import { brierTerm, referenceBrierTerm } from './brier.ts';
import { type Fraction, fraction, multiply, parseDecimal, subtract } from './fraction.ts';
import { CONFIDENCES } from './payoffs.ts';
import { pnlUsd } from './scoring.ts';

/** Depends on choice count, confidence and correctness alone. Whole numbers, so that sums are exact. */
export interface SummedPayoff {
  /** (reference - Brier term) squared, in millionths squared. */
  readonly skillSquare: number;
  /** The mean of the sim P&L if this confidence were right with probability 1 / k, in eighths of a cent. */
  readonly chancePnl: number;
  /** Its variance, in 64ths of a cent squared. */
  readonly chanceVariance: number;
}

/** Units of `chancePnl` per USD, and of `chanceVariance` per USD squared. */
export const CHANCE_UNITS = { pnl: 800, variance: 640_000 } as const;

/** The rows: wrong predictions by confidence from 0 to 100, then correct ones. */
export const TABLE_ROWS = 202;

/** The table for `choiceCount` answers. Throws for counts other than 2, 4 and 8. */
export function payoffTable(choiceCount: number): readonly SummedPayoff[] {
  const chances = CONFIDENCES.map((confidence) => chanceFigures(confidence, choiceCount));
  return [false, true].flatMap((correct) =>
    chances.map((chance, confidence) => ({ skillSquare: skillOf(confidence, choiceCount, correct) ** 2, ...chance })),
  );
}

/** Millionths. */
function skillOf(confidence: number, choiceCount: number, correct: boolean): number {
  const skill = subtract(referenceBrierTerm(choiceCount, correct), brierTerm(confidence, correct));
  return whole(multiply(fraction(1_000_000), skill));
}

/** Both payoffs enter, so the figures do not depend on which of them happened. */
function chanceFigures(confidence: number, choiceCount: number): Pick<SummedPayoff, 'chancePnl' | 'chanceVariance'> {
  const right = cents(confidence, choiceCount, true);
  const wrong = cents(confidence, choiceCount, false);
  return {
    chancePnl: whole(fraction(8 * (right + (choiceCount - 1) * wrong), choiceCount)),
    chanceVariance: whole(fraction(64 * (choiceCount - 1) * (right - wrong) ** 2, choiceCount * choiceCount)),
  };
}

function cents(confidence: number, choiceCount: number, correct: boolean): number {
  return whole(multiply(fraction(100), parseDecimal(pnlUsd(confidence, choiceCount, correct))));
}

function whole({ num, den }: Fraction): number {
  if (den !== 1n) throw new RangeError(`a summed payoff must be whole (got ${num}/${den})`);
  return Number(num);
}
