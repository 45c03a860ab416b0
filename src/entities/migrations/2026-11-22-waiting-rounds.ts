import { Migration } from '@mikro-orm/migrations';

/** What has been tried of a round that waits for its outcome, and an operator's sentence with one declared void. */
export class WaitingRounds extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
alter table rounds add column attempts int not null default 0;
alter table rounds add column trying_since timestamptz(3) null;
alter table rounds add column last_tried_at timestamptz(3) null;
alter table rounds add column last_problem varchar(500) null;
alter table rounds add column try_after timestamptz(3) null;
alter table rounds add column void_note varchar(500) null;
alter table rounds add constraint rounds_void_note_check check (void_note is null or status = 'void');
`;
