import { Migration } from '@mikro-orm/migrations';

/**
 * Sums from which intervals, edge and luck of every window follow. They are 0 at first, and added up from the scores by
 * the first process that works (jobs/standings.ts): the rules that they need are not written again here.
 */
export class FairSums extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
alter table platform add column sums_kept_at timestamptz(3) null;
alter table standings
  add column daily_points_square_sum bigint not null default 0,
  add column daily_skill_square_sum bigint not null default 0,
  add column daily_edge_sum bigint not null default 0,
  add column daily_edge_square_sum bigint not null default 0,
  add column daily_contribution_sum bigint not null default 0,
  add column daily_peer_sum bigint not null default 0,
  add column daily_choices_4 int not null default 0,
  add column daily_choices_8 int not null default 0,
  add column daily_chance_pnl_sum bigint not null default 0,
  add column daily_chance_pnl_variance bigint not null default 0;
alter table standings
  add column weekly_points_square_sum bigint not null default 0,
  add column weekly_skill_square_sum bigint not null default 0,
  add column weekly_edge_sum bigint not null default 0,
  add column weekly_edge_square_sum bigint not null default 0,
  add column weekly_contribution_sum bigint not null default 0,
  add column weekly_peer_sum bigint not null default 0,
  add column weekly_choices_4 int not null default 0,
  add column weekly_choices_8 int not null default 0,
  add column weekly_chance_pnl_sum bigint not null default 0,
  add column weekly_chance_pnl_variance bigint not null default 0;
alter table standings
  add column monthly_points_square_sum bigint not null default 0,
  add column monthly_skill_square_sum bigint not null default 0,
  add column monthly_edge_sum bigint not null default 0,
  add column monthly_edge_square_sum bigint not null default 0,
  add column monthly_contribution_sum bigint not null default 0,
  add column monthly_peer_sum bigint not null default 0,
  add column monthly_choices_4 int not null default 0,
  add column monthly_choices_8 int not null default 0,
  add column monthly_chance_pnl_sum bigint not null default 0,
  add column monthly_chance_pnl_variance bigint not null default 0;
alter table standings
  add column alltime_points_square_sum bigint not null default 0,
  add column alltime_skill_square_sum bigint not null default 0,
  add column alltime_edge_sum bigint not null default 0,
  add column alltime_edge_square_sum bigint not null default 0,
  add column alltime_contribution_sum bigint not null default 0,
  add column alltime_peer_sum bigint not null default 0,
  add column alltime_choices_4 int not null default 0,
  add column alltime_choices_8 int not null default 0,
  add column alltime_chance_pnl_sum bigint not null default 0,
  add column alltime_chance_pnl_variance bigint not null default 0;
`;
