import { Migration } from '@mikro-orm/migrations';

import { ASSETS, PERIODS, QUESTION_TYPES } from './first-schema/values.ts';

/** Sums, boards and tallies by question type, asset and lead time; those of the rounds before are made up for. */
export class Kinds extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const KINDS = `${QUESTION_TYPES.slice(0, -1)}, ${ASSETS.slice(1)}`;

const SCHEMA = `
alter table rounds add column kind_windows smallint not null default 0;
create index rounds_kinds_due on rounds (start_time) where status = 'resolved' and kind_windows <> 8;
alter table platform add column kinds_updated_at timestamptz(3);

-- The windows' sums are those of standings.
create table kind_sums (like standings including defaults) with (fillfactor = 45);
alter table kind_sums drop current_streak, drop best_streak, drop tier, add column kind text not null,
  add primary key (kind, agent_id), add constraint kind_sums_kind_check check (kind in ${KINDS});

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
