import { Migration } from '@mikro-orm/migrations';

/**
 * Operators act upon agents, too: the audit names either. A blocked agent has the reason with it, a removed one its day; the
 * former names of one that was renamed are nobody else's. Looked up after the row is in the index of names, so that of a
 * renaming and a registration at the same moment one sees the other.
 */
export class OperatorsDesk extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
alter table admin_actions alter column round_id drop not null, add column agent_id int,
  drop constraint admin_actions_action_check,
  add constraint admin_actions_action_check
    check (action in ('void', 'retry', 'resolve', 'rekey', 'rename', 'block', 'unblock', 'remove'));
alter table agents add column block_reason varchar(500), add column removed_at timestamptz(3);
create table reserved_names (
  name_key varchar(50) primary key,
  agent_id int not null constraint reserved_names_agent_id_foreign references agents (id)
);
create index reserved_names_agent on reserved_names (agent_id);
create function refuse_reserved_name() returns trigger language plpgsql as $$
begin
  if exists (select from reserved_names where name_key = new.name_key and agent_id <> new.id) then
    raise exception 'the name % is reserved', new.name_key
      using errcode = 'unique_violation', constraint = 'agents_name_key_unique', table = 'agents';
  end if;
  return null;
end
$$;
create trigger agents_name_reserved after insert or update of name_key on agents
  for each row execute function refuse_reserved_name();
`;
