import { referenceBrier } from '../edge.ts';
import { exp, ln } from '../statistics/special-functions.ts';
import { CANDIDATES } from './candidates.ts';

/*
 * One forecast of many: Vovk's aggregating algorithm for the Brier game (Vovk and Zhdanov, Prediction with Expert Advice
 * for the Brier Game, JMLR 10, 2009) with the learning rate 1, the largest that works. Over any number of rounds, whatever
 * happens and whoever plays, the forecast's total Brier score is at most that of any expert + ln(1 / its prior): the
 * price's + ln 2, each candidate's + ln 16.
 */

/** Who is mixed, in this order: the price alone, then the candidates. */
export const EXPERTS: readonly string[] = ['price', ...CANDIDATES];

/** How much each counts before anything has happened: half of all for the price. */
export const PRIORS: readonly number[] = EXPERTS.map((_, place) => (place === 0 ? 1 / 2 : 1 / 2 / CANDIDATES.length));

/** The total Brier scores of the experts over the decided rounds of one checkpoint, in their order. */
export type Totals = readonly number[];

/** Before any round is decided. */
export const NO_TOTALS: Totals = EXPERTS.map(() => 0);

/** How much each expert counts now: its prior x exp(-its total), together 1. */
export function weightsOf(totals: Totals): readonly number[] {
  const best = Math.min(...totals);
  const weights = totals.map((total, place) => (PRIORS[place] ?? 0) * exp(best - total));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** The totals once a round is decided in which the experts had said this. */
export function totalsAfter(totals: Totals, said: readonly (readonly number[])[], winnerIndex: number): Totals {
  return totals.map((total, place) => total + referenceBrier(said[place] ?? [], winnerIndex));
}

/** The totals once the round's winner was `before` and is `after`; null: it has none. */
export function totalsAmended(
  totals: Totals,
  said: readonly (readonly number[])[],
  { before, after }: { readonly before: number | null; readonly after: number | null },
): Totals {
  return totals.map((total, place) => total - brierOf(said[place], before) + brierOf(said[place], after));
}

function brierOf(vector: readonly number[] | undefined, winner: number | null): number {
  return winner === null ? 0 : referenceBrier(vector ?? [], winner);
}

/**
 * A probability for each answer whose Brier score is, whichever of them wins, at most the mixed one g of what the experts
 * say (`mixedBriers`): p = (s - g)+ / 2, with s such that they add up to 1.
 */
export function mixtureOf(said: readonly (readonly number[])[], weights: readonly number[]): readonly number[] {
  const mixed = mixedBriers(said, weights);
  const level = levelOf(mixed);
  return mixed.map((brier) => Math.max(0, level - brier) / 2);
}

/** -ln(sum of weight x exp(-Brier)) for each answer that may win: what the experts lose together. */
export function mixedBriers(said: readonly (readonly number[])[], weights: readonly number[]): readonly number[] {
  const [first = []] = said;
  return first.map((_, winner) => {
    const kept = said.reduce(
      (sum, vector, place) => sum + (weights[place] ?? 0) * exp(-referenceBrier(vector, winner)),
      0,
    );
    return -ln(kept);
  });
}

/** s with sum (s - g)+ = 2: what it is while only the lowest few lie below it, for the most of them that do. */
function levelOf(mixed: readonly number[]): number {
  const ascending = mixed.toSorted((one, other) => one - other);
  let [sum, level] = [0, Infinity];
  for (const [place, brier] of ascending.entries()) {
    if (brier >= level) break;
    sum += brier;
    level = (2 + sum) / (place + 1);
  }
  return level;
}
