import { Migration } from '@mikro-orm/migrations';

import { ASSETS, PERIODS, QUESTION_TYPES } from './first-schema/values.ts';

/** Sums, boards and tallies by question type, asset and lead time; those of the rounds before are made up for. */
export class Kinds extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const KINDS = `${QUESTION_TYPES.slice(0, -1)}, ${ASSETS.slice(1)}`;

const lists = (type: string, names: string): string =>
  names.replaceAll(/\w+/gu, (name) => `${name} ${type}[] not null`);

const SCHEMA = `
alter table rounds add column kind_windows smallint not null default 0;
create index rounds_kinds_due on rounds (start_time) where status = 'resolved' and kind_windows <> 8;
alter table platform add column kinds_updated_at timestamptz(3);

-- Lists side by side: rewritten whole, they take far less log than a row for each agent. What hardly compresses is left as it is.
create table kind_sums (
  kind text not null,
  period text not null,
  ${lists('int', 'agent_id, points, arena_points, wins, competitions, without_edge, choices_4, choices_8, arena_edges')},
  ${lists('numeric', 'pnl_usd, brier_sum, reference_brier_sum')},
  ${lists('bigint', 'points_square_sum, skill_square_sum, edge_sum, edge_square_sum, contribution_sum, peer_sum')},
  ${lists('bigint', 'chance_pnl_sum, chance_pnl_variance, arena_edge_sum, arena_edge_square_sum')},
  primary key (kind, period),
  constraint kind_sums_kind_check check (kind in ${KINDS}),
  constraint kind_sums_period_check check (period in ${PERIODS})
);
alter table kind_sums alter agent_id set storage external, alter edge_sum set storage external,
  alter edge_square_sum set storage external, alter contribution_sum set storage external, alter peer_sum set storage external,
  alter arena_edge_sum set storage external, alter arena_edge_square_sum set storage external;

create table kind_boards (
  kind text not null,
  period text not null,
  order_by text not null,
  min_rounds int not null,
  places jsonb not null,
  primary key (kind, period, order_by, min_rounds),
  constraint kind_boards_kind_check check (kind in ${KINDS}),
  constraint kind_boards_period_check check (period in ${PERIODS})
);

create table kind_states (
  kind text not null,
  period text not null,
  moved int not null,
  made int not null default 0,
  primary key (kind, period),
  constraint kind_states_kind_check check (kind in ${KINDS}),
  constraint kind_states_period_check check (period in ${PERIODS})
);

create table lead_tallies (
  lead text not null,
  asset text not null,
  question_type text not null,
  choice_count smallint not null,
  confidence smallint not null,
  is_correct boolean not null,
  daily_n bigint not null,
  weekly_n bigint not null,
  monthly_n bigint not null,
  alltime_n bigint not null,
  primary key (lead, asset, question_type, choice_count, confidence, is_correct),
  constraint lead_tallies_lead_check check (lead in ('45-60', '30-45', '15-30', '5-15', '0-5')),
  constraint lead_tallies_asset_check check (asset in ${ASSETS.replace('(', `('*', `)}),
  constraint lead_tallies_question_type_check check (question_type in ${QUESTION_TYPES})
);
`;
