import { appendOnly } from './values.ts';

/** The row that all processes share, the log of events, and the audit of what operators do. */
export const PLATFORM = `
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is only ever added to: % is refused', tg_table_name, lower(tg_op)
    using errcode = 'restrict_violation', constraint = tg_name;
end $$;

create table platform (
  id smallint not null primary key,
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
  market text null,
  ranks_counted_at timestamptz(3) null,
  sums_kept_at timestamptz(3) null,
  ordered_rounds int null,
  skilled jsonb null,
  constraint platform_one_row_check check (id = 1),
  constraint platform_speed_check check (clock_speed > '0'::double precision)
);

create table events (
  seq int not null primary key,
  kind text not null,
  at timestamptz(3) not null,
  round_id int null,
  payload jsonb not null,
  constraint events_kind_check check (kind in ('ROUND_STORED', 'ROUND_OPENED', 'ROUND_CLOSED', 'ROUND_RESOLVED',
    'ROUND_VOID', 'LEADERBOARD_CHANGED', 'TIER_CHANGED', 'ADMIN_ACTION'))
);

create table admin_actions (
  id serial primary key,
  at timestamptz(3) not null,
  actor varchar(100) not null,
  action text not null,
  round_id int not null,
  reason varchar(500) null,
  result jsonb not null,
  constraint admin_actions_action_check check (action in ('void', 'retry', 'resolve'))
);
${appendOnly('admin_actions')}
`;
