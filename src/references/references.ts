import type { Round } from '../entities/round.ts';
import { rows } from '../reads/sql.ts';
import { GRID_MS } from '../rules/grid.ts';
import { SECOND } from '../rules/hours.ts';
import { keptEvidence, type ReferenceDeps } from './kept-evidence.ts';
import { pointReferences } from './point-references.ts';

/** The reference vectors at grid points: a probability for each choice, in the order of the round's choices. */
export type ReferenceVectors = ReadonlyMap<number, readonly number[]>;

/**
 * The reference vectors of a round that is over at these grid points (`gridPointAt` of a submission), by point; 1/k for each
 * choice where no price is known. Stores the prices that they need, so that anybody can work them out again.
 */
export async function referencesOf(
  deps: ReferenceDeps,
  { id, endTime }: Pick<Round, 'id' | 'endTime'>,
  points: readonly number[],
): Promise<ReferenceVectors> {
  if (points.length === 0) return new Map();
  const asked = [{ roundId: id, points }];
  const mayKeep = ({ source }: { readonly source: string }): boolean => source === deps.market.source;
  const evidence = (await keptEvidence(deps, asked, { now: endTime, mayKeep })).get(id);
  if (evidence === undefined) throw new Error(`Round ${id} is missing although it is being decided`);
  const found = await pointReferences(evidence, points);
  return new Map([...found].map(([point, { probabilities }]) => [point, probabilities]));
}

/** As `referencesOf`, at the grid points that the round's submissions fell on. */
export async function submissionReferences(
  deps: ReferenceDeps,
  round: Pick<Round, 'id' | 'endTime'>,
): Promise<ReferenceVectors> {
  const found = await rows<{ point: number }>(deps.newEm())`
    select distinct floor(date_part('epoch', p.submitted_at - r.start_time) / ${GRID_MS / SECOND}::float8)::int as point
    from predictions p join rounds r on r.id = p.round_id
    where p.round_id = ${round.id} order by 1`;
  return referencesOf(
    deps,
    round,
    found.map(({ point }) => point),
  );
}
