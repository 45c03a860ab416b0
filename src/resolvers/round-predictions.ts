import type { Round } from '../entities/round.ts';
import { PAGE_SIZES } from '../limits.ts';
import { DomainError } from '../rules/errors.ts';
import { spacedSeconds } from '../rules/hours.ts';
import { pageSize } from './argument.ts';
import type { Context } from './context.ts';
import { entriesOf, placesOf, predictionById, type PredictionRow } from './prediction-rows.ts';

interface Page {
  readonly limit?: number | null;
  /** The id of the last entry of the page before. */
  readonly after?: number | null;
}

/** A round's predictions in the order of submission. */
export function entriesPage(context: Context, round: Round, page: Page): Promise<readonly PredictionRow[]> {
  return entriesOf(context.em, round.id, { limit: limitOf(page), after: page.after ?? 0 });
}

/** A decided round's predictions by place; of a void one, which has no places, in the order of submission. */
export async function resultsPage(context: Context, round: Round, page: Page): Promise<readonly PredictionRow[]> {
  const limit = limitOf(page);
  switch (round.status) {
    case 'resolved':
      return placesOf(context.em, round.id, { limit, afterPlace: await placeOf(context, round, page.after) });
    case 'void':
      return entriesPage(context, round, page);
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

function limitOf({ limit }: Page): number {
  return pageSize('limit', limit, PAGE_SIZES.entries);
}

async function placeOf(context: Context, round: Round, after: number | null | undefined): Promise<number> {
  if (after == null) return 0;
  const row = await predictionById(context.em, round.id, after);
  if (row?.place != null) return row.place;
  throw new DomainError('BAD_REQUEST', `after takes the id of an entry of round ${round.id}, and ${after} is none.`);
}
