import { Migration } from '@mikro-orm/migrations';

import { ASSETS, QUESTION_TYPES } from './first-schema/values.ts';

/** What agents have standing, until when, and what sums leave out of luck. */
export class StandingPredictions extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SUMS = ['daily', 'weekly', 'monthly', 'alltime'].map(
  (window) => `add column ${window}_standing_n int not null default 0,
  add column ${window}_standing_wins int not null default 0`,
);

const SCHEMA = `
create table standing_rows (
  question_type text not null,
  asset text not null,
  agent_id int not null,
  answers text[] not null,
  confidence smallint not null,
  set_at timestamptz(3) not null,
  primary key (question_type, asset, agent_id),
  constraint standing_rows_question_type_check check (question_type in ${QUESTION_TYPES}),
  constraint standing_rows_asset_check check (asset in ${ASSETS.replace('(', `('*', `)}),
  constraint standing_rows_answers_check check (cardinality(answers) >= 1 and cardinality(answers) <= 8),
  constraint standing_rows_confidence_check check (confidence >= 0 and confidence <= 100),
  constraint standing_rows_agent_id_foreign foreign key (agent_id) references agents (id)
);
create index standing_rows_agent on standing_rows (agent_id);

create table standing_agents (
  agent_id int not null primary key,
  lapses_at timestamptz(3) not null,
  lapse_told boolean not null default false,
  constraint standing_agents_agent_id_foreign foreign key (agent_id) references agents (id)
);
create index standing_agents_lapsing on standing_agents (lapses_at) where not lapse_told;

alter table predictions add column set_at timestamptz(3) null;
alter table scores add column standing boolean not null default false, add column standing_edge_millionths int null;
alter table rounds add column standing_at timestamptz(3) null;
alter table standings ${SUMS.join(',\n  ')};
alter table kind_sums add column standing_n int[] not null default '{}', add column standing_wins int[] not null default '{}';
alter table events drop constraint events_kind_check, add constraint events_kind_check check (kind in ('ROUND_STORED',
  'ROUND_OPENED', 'FORECAST', 'STANDING_APPLIED', 'ROUND_CLOSED', 'ROUND_RESOLVED', 'ROUND_VOID', 'LEADERBOARD_CHANGED',
  'TIER_CHANGED', 'STANDING_LAPSED', 'ADMIN_ACTION'));
`;
