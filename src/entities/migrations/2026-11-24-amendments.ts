import { Migration } from '@mikro-orm/migrations';

import { appendOnly } from './first-schema/values.ts';

/**
 * Second decisions beside the first ones, what they change of scores, and what these corrections come to. Evidence and scores of
 * forecasts may come once more for a round, with the amendment that they belong to.
 */
export class Amendments extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const VOID_REASONS = `('no_prices', 'sources_disagree', 'tie', 'admin')`;

const FIGURES = `is_correct boolean not null,
  score smallint not null,
  streak_bonus smallint not null,
  arena_points smallint not null,
  pnl_usd numeric(7,2) not null,
  brier numeric(5,4) not null,
  reference_brier numeric(7,6) not null,
  edge_millionths int null,
  contribution_billionths int null,
  peer_millionths int null,
  arena_edge_millionths int null,
  standing_edge_millionths int null,`;

const SCHEMA = `
alter table admin_actions drop constraint admin_actions_action_check,
  add constraint admin_actions_action_check
    check (action in ('void', 'retry', 'resolve', 'amend', 'rekey', 'rename', 'block', 'unblock', 'hide', 'remove', 'rotate'));
alter table events drop constraint events_kind_check, add constraint events_kind_check check (kind in ('ROUND_STORED',
  'ROUND_OPENED', 'FORECAST', 'STANDING_APPLIED', 'ROUND_UNANSWERED', 'ROUND_CLOSED', 'ROUND_RESOLVED', 'ROUND_VOID', 'ROUND_AMENDED',
  'LEADERBOARD_CHANGED', 'TIER_CHANGED', 'STANDING_LAPSED', 'WEBHOOK_DISABLED', 'ADMIN_ACTION'));

create table amendments (
  id serial primary key,
  round_id int not null,
  amended_at timestamptz(3) not null,
  reason varchar(500) not null,
  from_evidence boolean not null,
  previous_outcome varchar(8) null,
  previous_void_reason text null,
  previous_void_note varchar(500) null,
  outcome varchar(8) null,
  void_reason text null,
  rounds int[] not null,
  constraint amendments_at unique (amended_at),
  constraint amendments_previous_check check ((previous_outcome is null) = (previous_void_reason is not null)),
  constraint amendments_outcome_check check ((outcome is null) = (void_reason is not null)),
  constraint amendments_change_check
    check (outcome is distinct from previous_outcome or void_reason is distinct from previous_void_reason),
  constraint amendments_previous_void_reason_check check (previous_void_reason in ${VOID_REASONS}),
  constraint amendments_void_reason_check check (void_reason in ${VOID_REASONS}),
  constraint amendments_round_id_foreign foreign key (round_id) references rounds (id)
);
create index amendments_round on amendments (round_id);
${appendOnly('amendments')}

create table score_corrections (
  amendment_id int not null,
  round_id int not null,
  agent_id int not null,
  counted smallint not null,
  place int not null,
  ${FIGURES.replace('boolean', 'smallint').replaceAll(/int null/gu, 'int not null')}
  primary key (round_id, agent_id, amendment_id),
  constraint score_corrections_counted_check check (abs(counted) <= 1),
  constraint score_corrections_amendment_id_foreign foreign key (amendment_id) references amendments (id)
);
create index score_corrections_amendment on score_corrections (amendment_id);
${appendOnly('score_corrections')}

create table corrected_scores (
  round_id int not null,
  agent_id int not null,
  counted boolean not null,
  place int not null,
  ${FIGURES}
  primary key (round_id, agent_id)
);
create index corrected_scores_place on corrected_scores (round_id, place);

${['candles', 'agreed_candles']
  .map(
    (table) => `alter table ${table} add column amendment_id int not null default 0, drop constraint ${table}_pkey,
  add primary key (${table === 'candles' ? 'round_id, source, asset' : 'round_id, asset'}, hour_start, amendment_id);`,
  )
  .join('\n')}
alter table forecast_scores drop constraint forecast_scores_pkey, add primary key (round_id, minute, decided_at);
`;
