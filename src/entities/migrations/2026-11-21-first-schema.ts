import { Migration } from '@mikro-orm/migrations';

/** The first schema: every table of src/entities. Tables that are updated in place leave room for it in their pages. */
export class FirstSchema extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
create table agents (
  id serial primary key,
  name varchar(50) not null,
  name_key varchar(50) null,
  mode text not null,
  wallet_address varchar(64) null,
  key_hash varchar(64) not null,
  registered_at timestamptz(3) not null,
  reserved_until timestamptz(3) null
);
alter table agents add constraint agents_name_key_unique unique (name_key);
alter table agents add constraint agents_key_hash_unique unique (key_hash);
alter table agents add constraint agents_name_check check (name ~ '^[A-Za-z0-9_-]{3,50}$');
alter table agents add constraint agents_reservation_check check (mode <> 'spectate' or reserved_until is not null);
alter table agents add constraint agents_mode_check check (mode in ('compete', 'spectate'));

create table board_places (
  period text not null,
  position smallint not null,
  agent_id int not null,
  rank smallint not null,
  primary key (period, position)
);
alter table board_places add constraint board_places_period_check
  check (period in ('daily', 'weekly', 'monthly', 'alltime'));

create table board_ranks (
  period text not null,
  points int not null,
  rank int not null,
  primary key (period, points)
);
alter table board_ranks add constraint board_ranks_period_check check (period in ('daily', 'weekly', 'monthly', 'alltime'));

create table events (
  seq int not null,
  kind text not null,
  at timestamptz(3) not null,
  round_id int null,
  payload jsonb not null,
  primary key (seq)
);
alter table events add constraint events_kind_check
  check (kind in ('ROUND_STORED', 'ROUND_OPENED', 'ROUND_CLOSED', 'ROUND_RESOLVED', 'ROUND_VOID', 'LEADERBOARD_CHANGED', 'TIER_CHANGED'));

create table field_tallies (
  asset text not null,
  question_type text not null,
  choice_count smallint not null,
  confidence smallint not null,
  is_correct boolean not null,
  daily_n int not null,
  weekly_n int not null,
  monthly_n int not null,
  alltime_n int not null,
  primary key (asset, question_type, choice_count, confidence, is_correct)
);
alter table field_tallies add constraint field_tallies_windows_check
  check (daily_n >= 0 and weekly_n >= daily_n and monthly_n >= weekly_n and alltime_n >= monthly_n);
alter table field_tallies add constraint field_tallies_asset_check
  check (asset in ('*', 'BTC', 'ETH', 'SOL', 'AVAX', 'DOGE', 'ADA', 'LINK', 'DOT'));
alter table field_tallies add constraint field_tallies_question_type_check
  check (question_type in ('relative', 'best_performer', 'worst_performer', 'podium', 'volatility', 'direction', 'threshold', 'touch', 'magnitude', 'range', 'momentum', 'beat_market', 'breadth'));

create table platform (
  id smallint not null,
  created_at timestamptz(3) not null,
  clock_real_at timestamptz(3) not null,
  clock_service_at timestamptz(3) not null,
  clock_speed double precision not null,
  newest_resolved_end timestamptz(0) null,
  boards_updated_at timestamptz(3) not null,
  resolved_rounds int not null,
  decided_predictions int not null,
  decided_confidence_sum bigint not null,
  last_seq int not null,
  primary key (id)
);
alter table platform add constraint platform_one_row_check check (id = 1);
alter table platform add constraint platform_speed_check check (clock_speed > '0'::double precision);

create table rounds (
  id serial primary key,
  start_time timestamptz(0) not null,
  end_time timestamptz(0) not null,
  status text not null,
  question_type text not null,
  prediction_format text not null,
  question text not null,
  choices jsonb not null,
  subject varchar(8) null,
  operator text null,
  threshold_pct numeric null,
  n smallint null,
  source varchar(255) not null,
  total_entries int not null default 0,
  confidence_sum int not null default 0,
  outcome varchar(8) null,
  resolution_value smallint null,
  void_reason text null,
  decided_at timestamptz(3) null
) with (fillfactor = 50);
alter table rounds add constraint rounds_start_time_unique unique (start_time);
create unique index rounds_one_active on rounds (status) where status = 'active';
create index rounds_undecided on rounds (start_time) where status in ('upcoming', 'active', 'resolving');
alter table rounds add constraint rounds_one_hour_check check (end_time = start_time + '01:00:00'::interval);
alter table rounds add constraint rounds_whole_hour_check check (extract(epoch from start_time) % 3600 = 0);
alter table rounds add constraint rounds_outcome_check
  check ((status = 'resolved') = (outcome is not null and resolution_value is not null));
alter table rounds add constraint rounds_void_check check ((status = 'void') = (void_reason is not null));
alter table rounds add constraint rounds_decided_check
  check ((status in ('resolved', 'void')) = (decided_at is not null));
alter table rounds add constraint rounds_entries_check check (total_entries >= 0);
alter table rounds add constraint rounds_status_check
  check (status in ('upcoming', 'active', 'resolving', 'resolved', 'void'));
alter table rounds add constraint rounds_question_type_check
  check (question_type in ('relative', 'best_performer', 'worst_performer', 'podium', 'volatility', 'direction', 'threshold', 'touch', 'magnitude', 'range', 'momentum', 'beat_market', 'breadth'));
alter table rounds add constraint rounds_prediction_format_check check (prediction_format in ('choice', 'boolean'));
alter table rounds add constraint rounds_operator_check check (operator in ('>', '>=', '<=', 'within', 'same_sign'));
alter table rounds add constraint rounds_void_reason_check
  check (void_reason in ('no_prices', 'sources_disagree', 'tie', 'admin'));

create table predictions (
  round_id int not null,
  agent_id int not null,
  id serial not null,
  prediction varchar(8) not null,
  confidence smallint not null,
  submitted_at timestamptz(3) not null,
  idempotency_key varchar(128) null,
  primary key (round_id, agent_id)
);
alter table predictions add constraint predictions_id_unique unique (id);
create index predictions_agent_newest on predictions (agent_id, id desc) include (round_id, confidence);
create index predictions_round_order on predictions (round_id, id);
create index predictions_idempotency_key on predictions (agent_id, idempotency_key) where idempotency_key is not null;
alter table predictions add constraint predictions_confidence_check check (confidence >= 0 and confidence <= 100);

create table candles (
  round_id int not null,
  source varchar(255) not null,
  asset text not null,
  hour_start timestamptz(0) not null,
  open numeric not null,
  high numeric not null,
  low numeric not null,
  close numeric not null,
  volume numeric not null,
  fetched_at timestamptz(3) not null,
  primary key (round_id, source, asset, hour_start)
);
alter table candles add constraint candles_asset_check
  check (asset in ('BTC', 'ETH', 'SOL', 'AVAX', 'DOGE', 'ADA', 'LINK', 'DOT'));

create table round_assets (
  round_id int not null,
  asset text not null,
  position smallint not null,
  provider_id varchar(64) not null,
  open numeric null,
  high numeric null,
  low numeric null,
  close numeric null,
  return_pct numeric(14,4) null,
  primary key (round_id, asset)
);
alter table round_assets add constraint round_assets_price_check check (open > 0 and low > 0 and high >= low);
alter table round_assets add constraint round_assets_asset_check
  check (asset in ('BTC', 'ETH', 'SOL', 'AVAX', 'DOGE', 'ADA', 'LINK', 'DOT'));

create table round_tallies (
  round_id int not null,
  prediction varchar(8) not null,
  confidence smallint not null,
  n int not null,
  primary key (round_id, prediction, confidence)
);
alter table round_tallies add constraint round_tallies_n_check check (n > 0);

create table scores (
  round_id int not null,
  agent_id int not null,
  is_correct boolean not null,
  score smallint not null,
  streak_bonus smallint not null,
  place int not null,
  arena_points smallint not null,
  pnl_usd numeric(7,2) not null,
  brier numeric(5,4) not null,
  reference_brier numeric(7,6) not null,
  primary key (round_id, agent_id)
);
create unique index scores_place_unique on scores (round_id, place);
alter table scores add constraint scores_pnl_check check (pnl_usd >= '-100'::integer);

create table standings (
  agent_id int not null,
  daily_points int not null,
  daily_arena_points int not null,
  daily_wins int not null,
  daily_competitions int not null,
  daily_pnl_usd numeric(14,2) not null,
  daily_brier_sum numeric(16,4) not null,
  daily_reference_brier_sum numeric(16,6) not null,
  weekly_points int not null,
  weekly_arena_points int not null,
  weekly_wins int not null,
  weekly_competitions int not null,
  weekly_pnl_usd numeric(14,2) not null,
  weekly_brier_sum numeric(16,4) not null,
  weekly_reference_brier_sum numeric(16,6) not null,
  monthly_points int not null,
  monthly_arena_points int not null,
  monthly_wins int not null,
  monthly_competitions int not null,
  monthly_pnl_usd numeric(14,2) not null,
  monthly_brier_sum numeric(16,4) not null,
  monthly_reference_brier_sum numeric(16,6) not null,
  alltime_points int not null,
  alltime_arena_points int not null,
  alltime_wins int not null,
  alltime_competitions int not null,
  alltime_pnl_usd numeric(14,2) not null,
  alltime_brier_sum numeric(16,4) not null,
  alltime_reference_brier_sum numeric(16,6) not null,
  current_streak int not null,
  best_streak int not null,
  skill_sum numeric(16,6) not null,
  skill_square_sum numeric(22,12) not null,
  tier text not null,
  primary key (agent_id)
) with (fillfactor = 45);
create index standings_tier on standings (tier, agent_id) where tier <> 'bronze';
alter table standings add constraint standings_streak_check check (current_streak >= 0 and best_streak >= current_streak);
alter table standings add constraint standings_wins_check
  check (alltime_wins >= 0 and alltime_wins <= alltime_competitions);
alter table standings add constraint standings_tier_check check (tier in ('bronze', 'silver', 'gold', 'diamond'));

alter table board_places add constraint board_places_agent_id_foreign
  foreign key (agent_id) references agents (id) on update no action on delete no action;

alter table predictions add constraint predictions_round_id_foreign
  foreign key (round_id) references rounds (id) on update no action on delete no action;
alter table predictions add constraint predictions_agent_id_foreign
  foreign key (agent_id) references agents (id) on update no action on delete no action;

alter table candles add constraint candles_round_id_foreign
  foreign key (round_id) references rounds (id) on update no action on delete no action;

alter table round_assets add constraint round_assets_round_id_foreign
  foreign key (round_id) references rounds (id) on update no action on delete cascade;

alter table round_tallies add constraint round_tallies_round_id_foreign
  foreign key (round_id) references rounds (id) on update no action on delete no action;

alter table scores add constraint scores_prediction_foreign
  foreign key (round_id, agent_id) references predictions (round_id, agent_id) on update no action on delete no action;

alter table standings add constraint standings_agent_id_foreign
  foreign key (agent_id) references agents (id) on update no action on delete no action;
`;
