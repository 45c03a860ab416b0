import { Migration } from '@mikro-orm/migrations';

import { appendOnly } from './first-schema/values.ts';

/** Edges over the arena's forecast, their sums, and what forecasts within a round are worked out of. Of rounds before there are none. */
export class ArenaEdges extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SUMS = ['daily', 'weekly', 'monthly', 'alltime'].map(
  (window) => `add column ${window}_arena_edges int not null default 0,
  add column ${window}_arena_edge_sum bigint not null default 0,
  add column ${window}_arena_edge_square_sum bigint not null default 0`,
);

const SCHEMA = `
alter table scores add column arena_edge_millionths int null;
alter table standings ${SUMS.join(',\n  ')};
${['ordered_boards', 'earlier_ranks']
  .map(
    (table) => `alter table ${table} drop constraint ${table}_order_by_check, add constraint ${table}_order_by_check
  check (order_by in ('POINTS', 'EDGE', 'SKILL', 'PNL', 'PEER', 'CONTRIBUTION', 'ARENA'));`,
  )
  .join('\n')}

create table forecast_pools (
  round_id int not null,
  decided_until timestamptz(3) not null,
  points smallint[] not null,
  entries int[] not null,
  unpriced smallint[] not null,
  means double precision[] not null,
  primary key (round_id),
  constraint forecast_pools_lengths_check check (cardinality(entries) = cardinality(points)),
  constraint forecast_pools_round_id_foreign foreign key (round_id) references rounds (id)
);
${appendOnly('forecast_pools')}
`;
