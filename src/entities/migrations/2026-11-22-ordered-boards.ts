import { Migration } from '@mikro-orm/migrations';

/** Boards in every order with rank intervals, and how many agents look skilled: worked out after each resolution. */
export class OrderedBoards extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
create table ordered_boards (
  period text not null,
  order_by text not null,
  min_rounds int not null,
  round_id int not null,
  resolved_rounds int not null,
  updated_at timestamptz(3) not null,
  places jsonb not null,
  sure_places jsonb not null,
  primary key (period, order_by, min_rounds)
);
alter table ordered_boards add constraint ordered_boards_period_check
  check (period in ('daily', 'weekly', 'monthly', 'alltime'));
alter table ordered_boards add constraint ordered_boards_order_by_check
  check (order_by in ('POINTS', 'EDGE', 'SKILL', 'PNL', 'PEER', 'CONTRIBUTION'));
alter table platform add column ordered_rounds int null;
alter table platform add column skilled jsonb null;
`;
