import { Migration } from '@mikro-orm/migrations';

/** Boards by kind are made on request from sums that know what they count; all sums are added up anew once. */
export class OneLedger extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
drop table kind_states;
delete from kind_sums;
alter table kind_sums add column as_of timestamptz(3) not null, add column newest_end timestamptz(0) not null;
delete from kind_boards;
alter table kind_boards add column updated_at timestamptz(3) not null;
alter table platform drop column kinds_updated_at, add column sums_due boolean not null default false;
update platform set sums_due = newest_resolved_end is not null;
create index rounds_decided on rounds (decided_at) where status = 'resolved';
`;
