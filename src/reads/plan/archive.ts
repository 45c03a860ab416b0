import { sql } from 'kysely';

import type { ArchivedStanding } from '../../entities/archive.ts';
import { byAlias } from './by-alias.ts';
import { parts } from './parts.ts';
import { many, one, plain, type RowOf, rowType } from './plan.ts';

const { c, o, r, m } = byAlias({ c: 'archives', o: 'archives', r: 'rounds', m: 'amendments' }, 'o');

/** The nearest period of the same kind before or after that of `c`. */
function neighbour(side: '<' | '>', order: 'asc' | 'desc') {
  const others = parts.selectFrom('archives as o').where('o.kind', '=', c('kind'));
  return one(
    plain(o('period')),
    others.where('o.start_time', side, c('start_time')).orderBy('o.start_time', order).limit(sql.lit(1)),
  );
}

const AMENDED_ROUNDS = parts
  .selectFrom('amendments as m')
  .select(parts.fn<number>('unnest', [m('rounds')]).as('id'))
  .where('m.amended_at', '>', c('frozen_at'));

const COLUMNS = {
  ...c.plain('period', 'kind', 'rounds', 'agents', 'rankings'),
  ...c.instant('start_time', 'end_time', 'frozen_at'),
  amendedRounds: many(
    plain(r('id')),
    parts
      .selectFrom('rounds as r')
      .where('r.start_time', '>=', c('start_time'))
      .where('r.start_time', '<', c('end_time'))
      .where('r.id', 'in', AMENDED_ROUNDS)
      .orderBy('r.id'),
  ),
  previous: neighbour('<', 'desc'),
  next: neighbour('>', 'asc'),
  leaders: plain(
    parts.fn<readonly ArchivedStanding[]>('jsonb_path_query_array', [c('rankings'), sql.lit('$[0 to 2]')]),
  ),
};

/** The frozen board of a period. */
export type ArchiveRow = RowOf<typeof COLUMNS>;

/** A row `c` of `archives`. */
export const ARCHIVE = rowType({ columns: COLUMNS, needs: { summary: ['kind', 'agents', 'leaders'] } });
