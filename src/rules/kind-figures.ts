import { brierTerm, referenceBrierTerm } from './calibration.ts';
import { type Fraction, fraction, multiply, parseDecimal, subtract } from './fraction.ts';
import { pnlUsd } from './scoring.ts';

/**
 * What follows for a scored prediction from the number of its round's answers, its confidence and whether it was right:
 * a kind. Whole numbers, so that sums are exact.
 */
export interface KindFigures {
  /** (reference - Brier term) squared, in millionths squared. */
  readonly skillSquare: number;
  /** The mean of the sim P&L if this confidence were right with probability 1 / k, in eighths of a cent. */
  readonly chancePnl: number;
  /** Its variance, in 64ths of a cent squared. */
  readonly chanceVariance: number;
}

/** How many of the units of `chancePnl` make 1 USD, and of `chanceVariance` 1 USD squared. */
export const CHANCE_UNITS = { pnl: 800, variance: 640_000 } as const;

/** How many kinds there are of each number of answers: the wrong ones by confidence from 0 to 100, then the right ones. */
export const KINDS_OF_ONE = 202;

/** The figures of every kind of `choiceCount` answers, in the order of `KINDS_OF_ONE`. Throws for other counts than 2, 4 and 8. */
export function kindFigures(choiceCount: number): readonly KindFigures[] {
  const chances = CONFIDENCES.map((confidence) => chanceFigures(confidence, choiceCount));
  return [false, true].flatMap((correct) =>
    chances.map((chance, confidence) => ({
      skillSquare: skillOf(confidence, choiceCount, correct) ** 2,
      ...chance,
    })),
  );
}

const CONFIDENCES = Array.from({ length: KINDS_OF_ONE / 2 }, (_, confidence) => confidence);

/** Millionths. */
function skillOf(confidence: number, choiceCount: number, correct: boolean): number {
  return whole(
    multiply(fraction(1_000_000), subtract(referenceBrierTerm(choiceCount, correct), brierTerm(confidence, correct))),
  );
}

/** They depend on both ends, so not on which of them came. */
function chanceFigures(confidence: number, choiceCount: number): Pick<KindFigures, 'chancePnl' | 'chanceVariance'> {
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
  if (den !== 1n) throw new RangeError(`a figure of a kind must be whole (got ${num}/${den})`);
  return Number(num);
}
