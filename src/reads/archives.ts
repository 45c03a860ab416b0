import { expressionBuilder, type RawBuilder, sql } from 'kysely';

import { PAGE_SIZES } from '../limits.ts';
import { refused } from '../rules/errors.ts';
import { type ArchiveKind, periodNamed } from '../rules/windows.ts';
import { type AliasedTables, compiled, tablesOf } from './fragments.ts';
import { byAlias } from './plan/by-alias.ts';
import { type ListOrder, pageIn, type PageOfList, type PageRequest } from './paging.ts';

const c = expressionBuilder<AliasedTables<{ c: 'archives' }>, 'c'>();

const ARCHIVES = compiled(tablesOf(c.selectFrom('archives as c')));

/** The frozen board `c` of a period, for a `from`. Throws `BAD_REQUEST` for a text that names no period. */
export function archiveOf(period: string): RawBuilder<unknown> {
  if (periodNamed(period) !== null) return sql`${ARCHIVES} where ${c('c.period', '=', period)}`;
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
  columns: [{ column: byAlias({ c: 'archives' }).c('start_time'), kind: 'instant', descending: true }],
};

/** A page of the frozen boards of a kind, the newest first. */
export function archivesPageOf(request: ArchivesRequest): PageOfList {
  const list = { from: () => ARCHIVES, conditions: [c('c.kind', '=', request.kind ?? 'day')], order: NEWEST };
  return { list, page: pageIn(NEWEST, request, PAGE_SIZES.connections) };
}
