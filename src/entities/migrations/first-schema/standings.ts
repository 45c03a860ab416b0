import { PERIODS, WINDOWS } from './values.ts';

const SUMS = [
  'points int not null',
  'arena_points int not null',
  'wins int not null',
  'competitions int not null',
  'pnl_usd numeric(14,2) not null',
  'brier_sum numeric(16,4) not null',
  'reference_brier_sum numeric(16,6) not null',
];
const FURTHER_SUMS = [
  'points_square_sum bigint not null default 0',
  'skill_square_sum bigint not null default 0',
  'edge_sum bigint not null default 0',
  'edge_square_sum bigint not null default 0',
  'contribution_sum bigint not null default 0',
  'peer_sum bigint not null default 0',
  'choices_4 int not null default 0',
  'choices_8 int not null default 0',
  'chance_pnl_sum bigint not null default 0',
  'chance_pnl_variance bigint not null default 0',
];

/** The columns of every window. */
function ofWindows(sums: readonly string[]): string {
  return WINDOWS.flatMap((window) => sums.map((sum) => `${window}_${sum}`)).join(',\n  ');
}

/** What agents' scores add up to, and the boards that follow. Tables that are updated in place leave room for it in their pages. */
export const STANDINGS = `
create table standings (
  agent_id int not null primary key,
  ${ofWindows(SUMS)},
  current_streak int not null,
  best_streak int not null,
  skill_sum numeric(16,6) not null,
  skill_square_sum numeric(22,12) not null,
  tier text not null,
  ${ofWindows(FURTHER_SUMS)},
  constraint standings_streak_check check (current_streak >= 0 and best_streak >= current_streak),
  constraint standings_wins_check check (alltime_wins >= 0 and alltime_wins <= alltime_competitions),
  constraint standings_tier_check check (tier in ('bronze', 'silver', 'gold', 'diamond')),
  constraint standings_agent_id_foreign foreign key (agent_id) references agents (id)
) with (fillfactor = 45);
create index standings_tier on standings (tier, agent_id) where tier <> 'bronze';
create index standings_points on standings (alltime_points desc, agent_id);

create table board_places (
  period text not null,
  position smallint not null,
  agent_id int not null,
  rank smallint not null,
  primary key (period, position),
  constraint board_places_period_check check (period in ${PERIODS}),
  constraint board_places_agent_id_foreign foreign key (agent_id) references agents (id)
);

create table board_counts (
  period text not null,
  bits smallint not null,
  bucket int not null,
  agents int not null,
  primary key (period, bits, bucket),
  constraint board_counts_period_check check (period in ${PERIODS}),
  constraint board_counts_agents_check check (agents >= 0)
);

create table board_ranks (
  period text not null,
  points int not null,
  rank int not null,
  primary key (period, points),
  constraint board_ranks_period_check check (period in ${PERIODS})
);

create table ordered_boards (
  period text not null,
  order_by text not null,
  min_rounds int not null,
  round_id int not null,
  resolved_rounds int not null,
  updated_at timestamptz(3) not null,
  places jsonb not null,
  sure_places jsonb not null,
  primary key (period, order_by, min_rounds),
  constraint ordered_boards_period_check check (period in ${PERIODS}),
  constraint ordered_boards_order_by_check
    check (order_by in ('POINTS', 'EDGE', 'SKILL', 'PNL', 'PEER', 'CONTRIBUTION'))
);

create table board_candidates (
  id smallint not null primary key,
  resolved_rounds int not null,
  updated_at timestamptz(3) not null,
  newest_end timestamptz(0) not null,
  boards jsonb not null,
  tested int not null,
  likely jsonb not null,
  constraint board_candidates_one_row_check check (id = 1)
);
`;
