import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { Round } from '../entities/round.ts';
import { PAGE_SIZES } from '../limits.ts';
import { DomainError } from '../rules/errors.ts';
import { spacedSeconds } from '../rules/hours.ts';
import { pageSize } from './argument.ts';
import type { Context } from './context.ts';
import { readPages } from './keyset.ts';
import { predictionsOfRound } from './prediction-lists.ts';
import type { PredictionRow } from './prediction-rows.ts';

interface Asked {
  readonly limit?: number | null;
  /** The id of the last entry of the page before. */
  readonly after?: number | null;
}

/** A slice of a round's predictions: those behind an id, or behind a place. */
export interface Slice {
  readonly orderBy: 'OLDEST' | 'PLACE';
  readonly limit: number;
  readonly behind: number;
}

/** The same slice of several rounds. */
export async function slicesOf(
  em: SqlEntityManager,
  { orderBy, limit, behind }: Slice,
  rounds: readonly number[],
): Promise<readonly (readonly PredictionRow[])[]> {
  const asked = { first: limit, after: behind === 0 ? null : [behind], parents: rounds };
  const pages = await readPages(em, predictionsOfRound({}, orderBy), asked);
  return pages.map(({ rows }) => rows.slice(0, limit));
}

/** A round's predictions in the order of submission. */
export function entriesPage(context: Context, round: Round, asked: Asked): Promise<readonly PredictionRow[]> {
  const slice: Slice = { orderBy: 'OLDEST', limit: limitOf(asked), behind: asked.after ?? 0 };
  return context.loaders.predictionSlice(slice).load(round.id);
}

/** A decided round's predictions by place; of a void one, which has no places, in the order of submission. */
export async function resultsPage(context: Context, round: Round, asked: Asked): Promise<readonly PredictionRow[]> {
  const limit = limitOf(asked);
  switch (round.status) {
    case 'resolved': {
      const slice: Slice = { orderBy: 'PLACE', limit, behind: await placeOf(context, round, asked.after) };
      return context.loaders.predictionSlice(slice).load(round.id);
    }
    case 'void':
      return entriesPage(context, round, asked);
    case 'resolving':
      throw new DomainError(
        'NOT_FOUND',
        `Round ${round.id} has no results yet: it ended at ${spacedSeconds(round.endTime)} UTC and its outcome is being decided.`,
      );
    case 'active':
    case 'upcoming':
      throw new DomainError(
        'NOT_FOUND',
        `Round ${round.id} has no results yet: it ends at ${spacedSeconds(round.endTime)} UTC.`,
      );
  }
}

function limitOf({ limit }: Asked): number {
  return pageSize('limit', limit, PAGE_SIZES.entries);
}

async function placeOf(context: Context, round: Round, after: number | null | undefined): Promise<number> {
  if (after == null) return 0;
  const entry = await context.loaders.placedEntry.load(after);
  if (entry?.roundId === round.id) return entry.place;
  throw new DomainError('BAD_REQUEST', `after takes the id of an entry of round ${round.id}, and ${after} is none.`);
}

/** A scored prediction's round and its place there. */
export interface PlacedEntry {
  readonly id: number;
  readonly roundId: number;
  readonly place: number;
}

/** The scored ones among the predictions with these ids. */
export async function placedEntries(em: SqlEntityManager, ids: readonly number[]): Promise<readonly PlacedEntry[]> {
  const { rows } = await sql<PlacedEntry>`
    select p.id, s.round_id as "roundId", s.place
    from predictions p join scores s on s.round_id = p.round_id and s.agent_id = p.agent_id
    where p.id = any(${[...ids]})`.execute(em.getKysely());
  return rows;
}
