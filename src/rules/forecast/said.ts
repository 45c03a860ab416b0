import { INTERVAL_MIN_ROUNDS, meanInterval, type Sums } from '../statistics/means.ts';
import type { PickedAnswer } from '../edge.ts';
import { figureOf, UNITS } from '../payoffs.ts';

/** Equal predictions at a grid point, as whole numbers, so that the order does not matter. */
export interface EqualPredictions extends PickedAnswer {
  readonly n: number;
  readonly contributors: number;
  readonly record: number;
}

/** Predictions of agents whose 95 % interval of edge begins at the same `low`, above 0. */
export interface SkilledPredictions extends PickedAnswer {
  readonly n: number;
  readonly low: number;
}

export interface PointPredictions {
  readonly point: number;
  readonly alike: readonly EqualPredictions[];
  readonly sure: readonly SkilledPredictions[];
}

export interface Given extends PickedAnswer {
  readonly point: number;
  readonly edges: Sums;
}

/** Weight units in a mean edge of a millionth. */
export const RECORD_UNITS = 1000;

/** Means of few edges shrink towards 0, as if there were this many more rounds with an edge of 0. */
export const DOUBTED_ROUNDS = 30;

/** max(0, sum of edges / (n + 30)) in whole billionths, of edges in millionths. */
function recordWeight({ n, sum }: Sums): number {
  return Math.floor((Math.max(0, sum) * RECORD_UNITS) / (n + DOUBTED_ROUNDS));
}

/** Lower bound of the 95 % interval of a mean edge, from sums in millionths; 0 where it is not above 0. */
export function sureLow({ n, sum, squareSum }: Sums): number {
  if (n < INTERVAL_MIN_ROUNDS || sum <= 0) return 0;
  const edges = {
    n,
    sum: figureOf(sum, UNITS.edge) ?? 0,
    squareSum: figureOf(squareSum, UNITS.edge * UNITS.edge) ?? 0,
  };
  return Math.max(0, meanInterval(edges)?.low ?? 0);
}

export function saidBy(given: readonly Given[]): readonly PointPredictions[] {
  return joinedByPoint(
    given.map(({ point, pickIndex, confidence, edges }) => {
      const answered = { pickIndex, confidence, n: 1 };
      const low = sureLow(edges);
      const alike = { ...answered, contributors: Number(edges.sum > 0), record: recordWeight(edges) };
      return { point, alike: [alike], sure: low > 0 ? [{ ...answered, low }] : [] };
    }),
  );
}

/** One part for each grid point, ascending. */
export function joinedByPoint(parts: readonly PointPredictions[]): readonly PointPredictions[] {
  // The client's package contains these rules and runs on Node 20, which has no Map.groupBy.
  const byPoint = new Map<number, PointPredictions[]>();
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
