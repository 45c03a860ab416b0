import { payoffsOf } from '../rules/payoffs.ts';
import { fraction, multiply, parseDecimal } from '../rules/fraction.ts';

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
  const tables = new Map<number, ReadonlyMap<number, Payoff>>();
  return (choiceCount, confidence, correct) => {
    const table = tables.get(choiceCount) ?? tableOf(choiceCount);
    tables.set(choiceCount, table);
    const payoff = table.get(keyOf(confidence, correct));
    if (payoff === undefined) throw new RangeError(`confidence ${confidence} is not from 0 to 100`);
    return payoff;
  };
}

function tableOf(choiceCount: number): ReadonlyMap<number, Payoff> {
  return new Map(
    payoffsOf(choiceCount).map(({ confidence, correct, score, pnlUsd, brier, referenceBrier }) => [
      keyOf(confidence, correct),
      {
        score,
        pnlUsd,
        pnlCents: unitsOf(pnlUsd, CENTS),
        brier: unitsOf(brier, MILLIONTHS),
        referenceBrier: unitsOf(referenceBrier, MILLIONTHS),
      },
    ]),
  );
}

function keyOf(confidence: number, correct: boolean): number {
  return 2 * confidence + (correct ? 1 : 0);
}

function unitsOf(decimal: string, units: number): number {
  const { num, den } = multiply(parseDecimal(decimal), fraction(units));
  if (den !== 1n) throw new RangeError(`${decimal} is no whole number of 1/${units}`);
  return Number(num);
}
