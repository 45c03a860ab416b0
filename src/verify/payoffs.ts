import { payoffsOf } from '../rules/payoffs.ts';
import { fraction, multiply, parseDecimal } from '../rules/fraction.ts';

/** What a prediction earns by confidence and correctness alone. Sums of these are exact: they are whole numbers. */
export interface Payoff {
  readonly score: number;
  /** USD as text with two decimals. */
  readonly pnlUsd: string;
  /** In cents. */
  readonly pnlCents: number;
  /** In millionths. */
  readonly brier: number;
  readonly referenceBrier: number;
}

/** How many of these units make 1. */
export const CENTS = 100;
export const MILLIONTHS = 1_000_000;

/** The payoff of a prediction in a round of `choiceCount` answers. */
export type PayoffOf = (choiceCount: number, confidence: number, correct: boolean) => Payoff;

/** The rules' payoffs, each worked out once. Throws `RangeError` for a confidence outside 0-100. */
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
