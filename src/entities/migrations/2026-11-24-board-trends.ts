import { Migration } from '@mikro-orm/migrations';

/** What boards tell of the time before: ranks of the day before, points of the newest rounds. */
export class BoardTrends extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
create table earlier_ranks (
  period text not null,
  order_by text not null,
  ranks jsonb not null,
  primary key (period, order_by),
  constraint earlier_ranks_period_check check (period in ('daily', 'weekly', 'monthly', 'alltime')),
  constraint earlier_ranks_order_by_check
    check (order_by in ('POINTS', 'EDGE', 'SKILL', 'PNL', 'PEER', 'CONTRIBUTION'))
);

create table recent_points (
  agent_id int not null primary key,
  points int[] not null,
  constraint recent_points_points_check check (cardinality(points) <= 30),
  constraint recent_points_agent_id_foreign foreign key (agent_id) references agents (id)
);
`;
