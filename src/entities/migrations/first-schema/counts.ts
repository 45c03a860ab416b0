import { appendOnly, ASSETS, QUESTION_TYPES } from './values.ts';

const DIMENSIONS = `'QUESTION_TYPE', 'ASSET', 'HOUR_OF_DAY', 'WEEKDAY', 'LEAD_TIME', 'ANSWER'`;

/** What is counted of decided rounds: by answer, for the whole field, by minute and by day; and the boards of finished periods. */
export const COUNTS = `
create table round_tallies (
  round_id int not null,
  prediction varchar(8) not null,
  confidence smallint not null,
  n int not null,
  primary key (round_id, prediction, confidence),
  constraint round_tallies_n_check check (n > 0),
  constraint round_tallies_round_id_foreign foreign key (round_id) references rounds (id)
);
${appendOnly('round_tallies')}

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
  primary key (asset, question_type, choice_count, confidence, is_correct),
  constraint field_tallies_windows_check
    check (daily_n >= 0 and weekly_n >= daily_n and monthly_n >= weekly_n and alltime_n >= monthly_n),
  constraint field_tallies_asset_check check (asset in ${ASSETS.replace('(', `('*', `)}),
  constraint field_tallies_question_type_check check (question_type in ${QUESTION_TYPES})
);

create table crowd_minutes (
  round_id int not null,
  minute smallint not null,
  prediction varchar(8) not null,
  n int not null,
  primary key (round_id, minute, prediction),
  constraint crowd_minutes_n_check check (n > 0),
  constraint crowd_minutes_round_id_foreign foreign key (round_id) references rounds (id)
);
${appendOnly('crowd_minutes')}

create table daily_tallies (
  first_dimension text not null,
  second_dimension text not null,
  day int not null,
  first_value varchar(16) not null,
  second_value varchar(16) not null,
  n bigint not null,
  hits bigint not null,
  confidence_sum bigint not null,
  confidence_squares bigint not null,
  brier_sum numeric not null,
  brier_squares numeric not null,
  reference_sum numeric not null,
  gain_squares numeric not null,
  pnl_sum numeric not null,
  pnl_squares numeric not null,
  edge_n bigint not null,
  edge_sum numeric not null,
  edge_squares numeric not null,
  primary key (first_dimension, second_dimension, day, first_value, second_value),
  constraint daily_tallies_first_dimension_check check (first_dimension in (${DIMENSIONS})),
  constraint daily_tallies_second_dimension_check check (second_dimension in (${DIMENSIONS}, '')),
  constraint daily_tallies_n_check check (n > 0 and hits <= n and edge_n <= n)
);

create table archives (
  period varchar(10) not null primary key,
  kind text not null,
  start_time timestamptz(0) not null,
  end_time timestamptz(0) not null,
  rounds int not null,
  agents int not null,
  rankings jsonb not null,
  frozen_at timestamptz(3) not null,
  constraint archives_kind_check check (kind in ('day', 'week', 'month'))
);
create index archives_kind_start on archives (kind, start_time);
${appendOnly('archives')}
`;
