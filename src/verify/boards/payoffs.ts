import { CONFIDENCES, payoffOf } from '../../rules/payoffs.ts';
import { fraction, multiply, parseDecimal } from '../../rules/fraction.ts';

/** Follows from confidence and correctness alone. Whole numbers have exact sums. */
export interface Payoff {
  readonly score: number;
  readonly pnlUsd: string;
  readonly pnlCents: number;
  /** Millionths. */
  readonly brier: number;
  readonly referenceBrier: number;
}

export const CENTS = 100;
export const MILLIONTHS = 1_000_000;

export type PayoffOf = (choiceCount: number, confidence: number, correct: boolean) => Payoff;

/** Caches the rules' payoffs. Throws `RangeError` for a confidence outside 0-100. */
export function payoffLookup(): PayoffOf {
  const known = new Map<string, Payoff>();
  return (choiceCount, confidence, correct) => {
    const key = `${choiceCount} ${confidence} ${correct}`;
    const payoff = known.get(key) ?? wholePayoff(payoffOf(confidence, choiceCount, correct));
    known.set(key, payoff);
    return payoff;
  };
}

function wholePayoff({ confidence, score, pnlUsd, brier, referenceBrier }: ReturnType<typeof payoffOf>): Payoff {
  if (!CONFIDENCES.includes(confidence)) throw new RangeError(`confidence ${confidence} is not from 0 to 100`);
  return {
    score,
    pnlUsd,
    pnlCents: wholeUnits(pnlUsd, CENTS),
    brier: wholeUnits(brier, MILLIONTHS),
    referenceBrier: wholeUnits(referenceBrier, MILLIONTHS),
  };
}

function wholeUnits(decimal: string, units: number): number {
  const { num, den } = multiply(parseDecimal(decimal), fraction(units));
  if (den !== 1n) throw new RangeError(`${decimal} is no whole number of 1/${units}`);
  return Number(num);
}
