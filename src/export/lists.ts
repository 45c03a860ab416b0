import { type RawBuilder, sql } from 'kysely';

import { type Column, selectList } from './column.ts';
import { type Filter, PREDICTION_FILTERS, ROUND_FILTERS } from './filters.ts';
import { PREDICTION_COLUMNS } from './prediction-columns.ts';
import { ROUND_COLUMNS } from './round-columns.ts';

/** A list that can be exported. */
export interface ExportList {
  /** As it stands in the path. */
  readonly name: 'predictions' | 'rounds';
  readonly columns: readonly Column[];
  readonly filters: readonly Filter[];
  readonly statement: (condition: RawBuilder<unknown>) => RawBuilder<Readonly<Record<string, unknown>>>;
}

/** The lists; each is one statement, so that a download shows one moment however long it takes. */
export const EXPORT_LISTS: readonly ExportList[] = [
  {
    name: 'predictions',
    columns: PREDICTION_COLUMNS,
    filters: PREDICTION_FILTERS,
    statement: (condition) => sql`
      select ${selectList(PREDICTION_COLUMNS)}
      from predictions p
      join rounds r on r.id = p.round_id
      join agents a on a.id = p.agent_id
      left join scores s on s.round_id = p.round_id and s.agent_id = p.agent_id
      where ${condition} order by p.id`,
  },
  {
    name: 'rounds',
    columns: ROUND_COLUMNS,
    filters: ROUND_FILTERS,
    statement: (condition) => sql`
      select ${selectList(ROUND_COLUMNS)}
      from rounds r
      left join lateral (
        select jsonb_object_agg(d.asset,
          jsonb_build_object('open', d.open, 'close', d.close, 'return_pct', d.return_pct)) as by_asset
        from round_assets d where d.round_id = r.id
      ) x on true
      where ${condition} order by r.id`,
  },
];
