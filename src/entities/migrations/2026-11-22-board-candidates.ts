import { Migration } from '@mikro-orm/migrations';

/** What the boards in every order are made from without a look at everybody; made by the next look. */
export class BoardCandidatesTable extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
create table board_candidates (
  id smallint not null primary key,
  resolved_rounds int not null,
  updated_at timestamptz(3) not null,
  newest_end timestamptz(0) not null,
  boards jsonb not null,
  tested int not null,
  likely jsonb not null
);
alter table board_candidates add constraint board_candidates_one_row_check check (id = 1);
`;
