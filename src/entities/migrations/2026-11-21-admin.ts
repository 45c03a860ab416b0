import { Migration } from '@mikro-orm/migrations';

/** The audit of what operators do, which cannot be changed any more, and the kind of event that tells of it. */
export class Admin extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
create table admin_actions (
  id serial primary key,
  at timestamptz(3) not null,
  actor varchar(100) not null,
  action text not null,
  round_id int not null,
  reason varchar(500) null,
  result jsonb not null
);
alter table admin_actions add constraint admin_actions_action_check
  check (action in ('void', 'retry', 'resolve'));
create trigger admin_actions_kept before update or delete or truncate on admin_actions
  for each statement execute function refuse_change();

alter table events drop constraint events_kind_check;
alter table events add constraint events_kind_check
  check (kind in ('ROUND_STORED', 'ROUND_OPENED', 'ROUND_CLOSED', 'ROUND_RESOLVED', 'ROUND_VOID', 'LEADERBOARD_CHANGED', 'TIER_CHANGED', 'ADMIN_ACTION'));
`;
