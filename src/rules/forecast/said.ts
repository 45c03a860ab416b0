import { INTERVAL_MIN_ROUNDS, meanInterval, type Sums } from '../statistics/means.ts';
import { figureOf, UNITS } from '../payoffs.ts';

/** What predictions say: the place of their answer among the choices, and percent. */
interface Says {
  readonly pickIndex: number;
  readonly confidence: number;
}

/** Predictions that say the same at a grid point, counted in whole numbers, so that it does not matter in which order. */
export interface Alike extends Says {
  readonly n: number;
  /** How many of them are by agents that have added to the price so far: whose edges add up to more than 0. */
  readonly contributors: number;
  /** Their weights by record (`recordWeight`), added up. */
  readonly record: number;
}

/** Those by agents whose 95 % interval of edge begins at the same `low`, above 0. */
export interface Sure extends Says {
  readonly n: number;
  readonly low: number;
}

/** What was said at a grid point. */
export interface SaidAt {
  readonly point: number;
  readonly alike: readonly Alike[];
  readonly sure: readonly Sure[];
}

/** A prediction as far as a forecast goes. */
export interface Given extends Says {
  /** The grid point at which it was made. */
  readonly point: number;
  /** Its agent's edges in the rounds that are decided, in the units of standings. */
  readonly edges: Sums;
}

/** The units of weights by record that make a mean edge of a millionth. */
export const RECORD_UNITS = 1000;

/** A mean of few edges is drawn towards 0 as if so many more rounds had none. */
export const DOUBTED_ROUNDS = 30;

/** max(0, sum of edges / (n + 30)) in whole billionths, of edges in millionths. */
export function recordWeight({ n, sum }: Sums): number {
  return Math.floor((Math.max(0, sum) * RECORD_UNITS) / (n + DOUBTED_ROUNDS));
}

/** Where the 95 % interval of an agent's mean edge begins, of edges in millionths; 0 where it is not surely above 0. */
export function sureLow({ n, sum, squareSum }: Sums): number {
  if (n < INTERVAL_MIN_ROUNDS || sum <= 0) return 0;
  const edges = {
    n,
    sum: figureOf(sum, UNITS.edge) ?? 0,
    squareSum: figureOf(squareSum, UNITS.edge * UNITS.edge) ?? 0,
  };
  return Math.max(0, meanInterval(edges)?.low ?? 0);
}

/** Predictions one by one, as what was said at each grid point. */
export function saidBy(given: readonly Given[]): readonly SaidAt[] {
  return together(
    given.map(({ point, pickIndex, confidence, edges }) => {
      const says = { pickIndex, confidence, n: 1 };
      const low = sureLow(edges);
      const alike = { ...says, contributors: Number(edges.sum > 0), record: recordWeight(edges) };
      return { point, alike: [alike], sure: low > 0 ? [{ ...says, low }] : [] };
    }),
  );
}

/** One for each grid point, ascending, of parts that may be of the same one. */
export function together(parts: readonly SaidAt[]): readonly SaidAt[] {
  const byPoint = new Map<number, SaidAt[]>();
  for (const part of parts) {
    const ofPoint = byPoint.get(part.point);
    if (ofPoint === undefined) byPoint.set(part.point, [part]);
    else ofPoint.push(part);
  }
  return [...byPoint]
    .toSorted(([one], [other]) => one - other)
    .map(([point, ofPoint]) => ({
      point,
      alike: ofPoint.flatMap(({ alike }) => alike),
      sure: ofPoint.flatMap(({ sure }) => sure),
    }));
}
