import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { Archive } from '../entities/archive.ts';
import { type ArchiveKind, periodNamed } from '../rules/windows.ts';
import { refused } from '../rules/errors.ts';
import { PAGE_SIZES } from '../limits.ts';
import { type Connection, connectionOf, keysIn, type ListOrder, pageSize, readPages } from './paging.ts';

/** The frozen board of a period; null where there is none. Throws `BAD_REQUEST` for a text that names no period. */
export async function archiveOf(em: SqlEntityManager, period: string): Promise<Archive | null> {
  if (periodNamed(period) !== null) return em.findOne(Archive, { period });
  throw refused(
    'period',
    'a UTC day such as 2026-11-20, an ISO week such as 2026-W47 or a month such as 2026-11',
    period,
  );
}

interface ArchivesRequest {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly kind?: ArchiveKind | null;
}

/** A row of the table, with the database's own names. */
interface ArchiveColumns {
  readonly start_time: Date;
}

const NEWEST: ListOrder<ArchiveColumns> = {
  name: 'archives NEWEST',
  columns: [
    {
      column: sql`c.start_time`,
      kind: 'instant',
      property: 'start_time',
      of: ({ start_time: start }) => start,
      descending: true,
    },
  ],
};

/** A page of the frozen boards of a kind, the newest first. */
export async function archivesPage(em: SqlEntityManager, asked: ArchivesRequest): Promise<Connection<Archive>> {
  const first = pageSize('first', asked.first, PAGE_SIZES.connections);
  const list = {
    columns: sql`c.*`,
    from: () => sql`archives c`,
    conditions: [sql`c.kind = ${asked.kind ?? 'day'}`],
    order: NEWEST,
  };
  const page = { first, after: keysIn(NEWEST, asked.after), parents: [0] };
  const [found = { rows: [], hasPrevious: false }] = await readPages<ArchiveColumns>(em, list, page);
  return connectionOf(found, { first, order: NEWEST }, (row) => em.map(Archive, { ...row }));
}
