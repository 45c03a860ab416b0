import { sql } from 'kysely';

import { byAlias } from './by-alias.ts';
import { type Column, plain, type RowOf, rowType } from './plan.ts';

/** The period of the same kind whose board was frozen before the one of `c`, or after it. */
function beside(way: 'previous' | 'next'): Column<string | null> {
  const [than, order] = way === 'previous' ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  return plain(sql`(select o.period from archives o where o.kind = c.kind and o.start_time ${than} c.start_time
    order by o.start_time ${order} limit 1)`);
}

const { c } = byAlias({ c: 'archives' });

const COLUMNS = {
  ...c.plain('period', 'kind', 'rounds', 'agents', 'rankings'),
  ...c.instant('start_time', 'end_time', 'frozen_at'),
  amendedRounds: plain<readonly number[]>(sql`(
    select coalesce(json_agg(r.id order by r.id), '[]'::json) from rounds r
    where r.start_time >= c.start_time and r.start_time < c.end_time
      and r.id in (select unnest(rounds) from amendments where amended_at > c.frozen_at))`),
  previous: beside('previous'),
  next: beside('next'),
};

/** The frozen board of a period. */
export type ArchiveRow = RowOf<typeof COLUMNS>;

/** A row `c` of `archives`. */
export const ARCHIVE = rowType({ columns: COLUMNS });
