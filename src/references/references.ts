import { type Expression, type RawBuilder, sql } from 'kysely';

import type { Round } from '../entities/round.ts';
import type { DB } from '../entities/tables.ts';
import { GRID_MS, type GridQuote, momentAt } from '../rules/grid.ts';
import { SECOND } from '../rules/hours.ts';
import type { References } from '../rules/payoffs.ts';
import { referenceAt } from '../rules/reference/reference.ts';
import { isTurnOver, ownTurn } from '../turns.ts';
import { fillEvidence, type ReferenceDeps } from './fill-evidence.ts';
import type { RoundEvidence } from './round-evidence.ts';

/**
 * The reference vectors of a round that is over, by grid point (`gridPointAt` of a submission), where a price is known. Stores
 * the prices that they follow from, so that they can be recomputed.
 */
export async function referencesOf(
  deps: ReferenceDeps,
  { id, endTime }: Pick<Round, 'id' | 'endTime'>,
  points: readonly number[],
): Promise<References> {
  if (points.length === 0) return new Map();
  const wanted = [{ roundId: id, points }];
  const mayFill = ({ source }: { readonly source: string }): boolean => source === deps.market.source;
  const evidence = (await fillEvidence(deps, wanted, { now: endTime, mayFill })).get(id);
  if (evidence === undefined) throw new Error(`Round ${id} is missing although it is being decided`);
  const found = await pointReferences(evidence, points);
  return new Map([...found].flatMap(([point, { known, probabilities }]) => (known ? [[point, probabilities]] : [])));
}

/** SQL of the grid point of a time in the hour that starts then: `gridPointAt` of rules/grid.ts. */
export function gridPointOf(time: Expression<Date>, start: Expression<Date>): RawBuilder<number> {
  return sql`floor(date_part('epoch', ${time} - ${start}) / ${GRID_MS / SECOND}::float8)::int`;
}

/** As `referencesOf`, at the grid points that the round's submissions fell on. */
export async function submissionReferences(
  deps: ReferenceDeps,
  round: Pick<Round, 'id' | 'endTime'>,
): Promise<References> {
  const found = await deps
    .newEm()
    .getKysely<DB>()
    .selectFrom('predictions as p')
    .innerJoin('rounds as r', 'r.id', 'p.round_id')
    .where('p.round_id', '=', round.id)
    .select((of) => gridPointOf(of.ref('p.submitted_at'), of.ref('r.start_time')).as('point'))
    .distinct()
    .orderBy('point')
    .execute();
  // Predictions from before the first known price are scored by the reference at the start.
  return referencesOf(deps, round, found.length === 0 ? [] : [...new Set([0, ...found.map(({ point }) => point)])]);
}

export interface PointReference {
  readonly point: number;
  /** False without a stored price, open or covariance: then each of k answers has 1/k. */
  readonly known: boolean;
  /** One for each choice of the round, in their order; together 1. */
  readonly probabilities: readonly number[];
  /** The prices that are stored there. */
  readonly quote: GridQuote | null;
}

/** The reference at a point; null where it is not known. */
export function referenceLookup(
  byPoint: ReadonlyMap<number, PointReference> | undefined,
): (point: number) => readonly number[] | null {
  return (point) => {
    const reference = byPoint?.get(point);
    return reference?.known === true ? reference.probabilities : null;
  };
}

/** The references at these points, computed from stored evidence. */
export async function pointReferences(
  evidence: RoundEvidence,
  points: readonly number[],
): Promise<ReadonlyMap<number, PointReference>> {
  const byPoint = new Map<number, PointReference>();
  for (const point of points) {
    if (isTurnOver()) await ownTurn();
    byPoint.set(point, pointReference(evidence, point));
  }
  return byPoint;
}

function pointReference(evidence: RoundEvidence, point: number): PointReference {
  const moment = momentAt(evidence, point);
  return {
    point,
    known: moment !== null,
    probabilities: referenceAt(evidence.question, moment, evidence.rulesVersion),
    quote: evidence.quotes.get(point) ?? null,
  };
}
