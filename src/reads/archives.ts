import { type RawBuilder, sql } from 'kysely';

import { PAGE_SIZES } from '../limits.ts';
import { refused } from '../rules/errors.ts';
import { type ArchiveKind, periodNamed } from '../rules/windows.ts';
import { type ListOrder, pageIn, type PageOfList, type PageRequest } from './paging.ts';

/** Where the frozen board of a period is. Throws `BAD_REQUEST` for a text that names no period. */
export function archiveOf(period: string): RawBuilder<unknown> {
  if (periodNamed(period) !== null) return sql`archives c where c.period = ${period}`;
  throw refused(
    'period',
    'a UTC day such as 2026-11-20, an ISO week such as 2026-W47 or a month such as 2026-11',
    period,
  );
}

interface ArchivesRequest extends PageRequest {
  readonly kind?: ArchiveKind | null;
}

const NEWEST: ListOrder = {
  name: 'archives NEWEST',
  columns: [{ column: sql`c.start_time`, kind: 'instant', descending: true }],
};

/** A page of the frozen boards of a kind, the newest first. */
export function archivesPageOf(asked: ArchivesRequest): PageOfList {
  const conditions = [sql`c.kind = ${asked.kind ?? 'day'}`];
  const list = { from: () => sql`archives c`, conditions, order: NEWEST };
  return { list, page: pageIn(NEWEST, asked, PAGE_SIZES.connections) };
}
