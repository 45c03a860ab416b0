import { appendOnly, ASSETS, QUESTION_TYPES } from './values.ts';

const PRICE = 'double precision';

/** Rounds, what prices decide them, and what prices say within them. */
export const ROUNDS = `
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
  decided_at timestamptz(3) null,
  attempts int not null default 0,
  trying_since timestamptz(3) null,
  last_tried_at timestamptz(3) null,
  last_problem varchar(500) null,
  try_after timestamptz(3) null,
  void_note varchar(500) null,
  difficulty_millionths int null,
  counted_at timestamptz(3) null,
  constraint rounds_start_time_unique unique (start_time),
  constraint rounds_one_hour_check check (end_time = start_time + '01:00:00'::interval),
  constraint rounds_whole_hour_check check (extract(epoch from start_time) % 3600 = 0),
  constraint rounds_outcome_check
    check ((status = 'resolved') = (outcome is not null and resolution_value is not null)),
  constraint rounds_void_check check ((status = 'void') = (void_reason is not null)),
  constraint rounds_decided_check check ((status in ('resolved', 'void')) = (decided_at is not null)),
  constraint rounds_entries_check check (total_entries >= 0),
  constraint rounds_status_check check (status in ('upcoming', 'active', 'resolving', 'resolved', 'void')),
  constraint rounds_question_type_check check (question_type in ${QUESTION_TYPES}),
  constraint rounds_prediction_format_check check (prediction_format in ('choice', 'boolean')),
  constraint rounds_operator_check check (operator in ('>', '>=', '<=', 'within', 'same_sign')),
  constraint rounds_void_reason_check check (void_reason in ('no_prices', 'sources_disagree', 'tie', 'admin')),
  constraint rounds_void_note_check check (void_note is null or status = 'void')
) with (fillfactor = 50);
create unique index rounds_one_active on rounds (status) where status = 'active';
create index rounds_undecided on rounds (start_time) where status in ('upcoming', 'active', 'resolving');
create index rounds_without_scores on rounds (id) where status <> 'resolved';
create index rounds_uncounted on rounds (id) where counted_at is null and status in ('resolved', 'void');

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
  primary key (round_id, asset),
  constraint round_assets_price_check check (open > 0 and low > 0 and high >= low),
  constraint round_assets_asset_check check (asset in ${ASSETS}),
  constraint round_assets_round_id_foreign foreign key (round_id) references rounds (id) on delete cascade
);

-- Each source's candle with all that is known of it, as the source wrote it.
create table candles (
  round_id int not null,
  source varchar(255) not null,
  asset text not null,
  hour_start timestamptz(0) not null,
  open text null,
  high text null,
  low text null,
  close text null,
  volume text null,
  fetched_at timestamptz(3) not null,
  body_hash varchar(64) null,
  source_time timestamptz(3) null,
  counted boolean not null default true,
  left_out text null,
  primary key (round_id, source, asset, hour_start),
  constraint candles_asset_check check (asset in ${ASSETS}),
  constraint candles_counted_check check (counted = (left_out is null)),
  constraint candles_figures_check check (not counted or (open is not null and high is not null and low is not null
    and close is not null and volume is not null)),
  constraint candles_body_hash_check check (body_hash ~ '^[0-9a-f]{64}$'),
  constraint candles_round_id_foreign foreign key (round_id) references rounds (id)
);
${appendOnly('candles')}

-- What the sources agreed on.
create table agreed_candles (
  round_id int not null,
  asset text not null,
  hour_start timestamptz(0) not null,
  open numeric not null,
  high numeric not null,
  low numeric not null,
  close numeric not null,
  volume numeric not null,
  primary key (round_id, asset, hour_start),
  constraint agreed_candles_asset_check check (asset in ${ASSETS}),
  constraint agreed_candles_price_check check (low > 0 and low <= least(open, close) and high >= greatest(open, close)),
  constraint agreed_candles_round_id_foreign foreign key (round_id) references rounds (id)
);
${appendOnly('agreed_candles')}

-- The prices within rounds, and what beside them says what the price alone said of a round's answers.
create table round_quotes (
  round_id int not null,
  point smallint not null,
  prices ${PRICE}[] not null,
  highs ${PRICE}[] not null,
  lows ${PRICE}[] not null,
  primary key (round_id, point),
  constraint round_quotes_point_check check (point >= 0 and point < 240),
  constraint round_quotes_lengths_check check (cardinality(prices) >= 1 and cardinality(prices) <= 8
    and cardinality(highs) = cardinality(prices) and cardinality(lows) = cardinality(prices)),
  constraint round_quotes_price_check
    check ('0'::${PRICE} < all (prices) and '0'::${PRICE} < all (highs) and '0'::${PRICE} < all (lows)),
  constraint round_quotes_round_id_foreign foreign key (round_id) references rounds (id)
);
${appendOnly('round_quotes')}

create table reference_bases (
  round_id int not null primary key,
  covariance ${PRICE}[] not null,
  sign_before smallint null,
  constraint reference_bases_covariance_check check (cardinality(covariance) = 64),
  constraint reference_bases_sign_check check (sign_before >= '-1'::integer and sign_before <= 1),
  constraint reference_bases_round_id_foreign foreign key (round_id) references rounds (id)
);
${appendOnly('reference_bases')}
`;
