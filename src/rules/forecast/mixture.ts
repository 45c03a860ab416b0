import { referenceBrier } from '../edge.ts';
import { exp, ln } from '../statistics/special-functions.ts';
import { CANDIDATES } from './candidates.ts';

/*
 * Vovk's aggregating algorithm for the Brier game (Vovk and Zhdanov, Prediction with Expert Advice for the Brier Game,
 * JMLR 10, 2009) with learning rate 1, the largest that works. The forecast's total Brier score is at most any expert's
 * + ln(1 / its prior): the price's + ln 2, each candidate's + ln 16.
 */

export const EXPERTS: readonly string[] = ['price', ...CANDIDATES];

/** Half for the price; the candidates share the rest. */
export const PRIORS: readonly number[] = EXPERTS.map((_, index) => (index === 0 ? 1 / 2 : 1 / 2 / CANDIDATES.length));

export type Totals = readonly number[];

export const NO_TOTALS: Totals = EXPERTS.map(() => 0);

/** Prior x exp(-total), scaled to add up to 1. */
export function weightsOf(totals: Totals): readonly number[] {
  const best = Math.min(...totals);
  const weights = totals.map((total, index) => (PRIORS[index] ?? 0) * exp(best - total));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => weight / sum);
}

export function totalsAfter(totals: Totals, experts: readonly (readonly number[])[], winnerIndex: number): Totals {
  return totals.map((total, index) => total + referenceBrier(experts[index] ?? [], winnerIndex));
}

export function totalsAmended(
  totals: Totals,
  experts: readonly (readonly number[])[],
  { before, after }: { readonly before: number | null; readonly after: number | null },
): Totals {
  return totals.map((total, index) => total - brierOf(experts[index], before) + brierOf(experts[index], after));
}

function brierOf(vector: readonly number[] | undefined, winner: number | null): number {
  return winner === null ? 0 : referenceBrier(vector ?? [], winner);
}

/** p = (s - g)+ / 2, with s such that p adds up to 1: its Brier score is at most the mixed g, whichever answer wins. */
export function mixtureOf(experts: readonly (readonly number[])[], weights: readonly number[]): readonly number[] {
  const mixed = mixedBriers(experts, weights);
  const level = levelOf(mixed);
  return mixed.map((brier) => Math.max(0, level - brier) / 2);
}

/** g: -ln(sum of weight x exp(-Brier)) for each answer that may win. */
export function mixedBriers(experts: readonly (readonly number[])[], weights: readonly number[]): readonly number[] {
  const [first = []] = experts;
  return first.map((_, winner) => {
    const kept = experts.reduce(
      (sum, vector, index) => sum + (weights[index] ?? 0) * exp(-referenceBrier(vector, winner)),
      0,
    );
    return -ln(kept);
  });
}

/** s with sum (s - g)+ = 2: adds the lowest g until the next one lies above s. */
function levelOf(mixed: readonly number[]): number {
  const ascending = mixed.toSorted((one, other) => one - other);
  let [sum, level] = [0, Infinity];
  for (const [index, brier] of ascending.entries()) {
    if (brier >= level) break;
    sum += brier;
    level = (2 + sum) / (index + 1);
  }
  return level;
}
