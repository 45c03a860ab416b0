import { Migration } from '@mikro-orm/migrations';

/**
 * A snapshot from before a prediction does not show it to a trigger, as it would to a foreign key: under another isolation
 * than read committed no agent and no round is removed.
 */
export class SeenPredictions extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
create or replace function keep_predicted_round() returns trigger language plpgsql as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'rounds must be removed under read committed (got %)', current_setting('transaction_isolation')
      using errcode = 'invalid_transaction_state';
  end if;
  if exists (select from predictions where round_id = old.id) then
    raise exception 'round % has predictions: its % is refused', old.id, lower(tg_op)
      using errcode = 'foreign_key_violation', constraint = 'predictions_round_id_foreign', table = 'rounds';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;

create or replace function keep_predicted_agent() returns trigger language plpgsql as $$
declare
  agent integer := case tg_op when 'TRUNCATE' then null else old.id end;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'agents must be removed under read committed (got %)', current_setting('transaction_isolation')
      using errcode = 'invalid_transaction_state';
  end if;
  lock table predictions in share row exclusive mode;
  if exists (select from predictions where agent_id = coalesce(agent, agent_id)) then
    raise exception '% of agents with predictions is refused', lower(tg_op)
      using errcode = 'foreign_key_violation', constraint = 'predictions_agent_id_foreign', table = 'agents';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
`;
