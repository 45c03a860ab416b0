import { Migration } from '@mikro-orm/migrations';

/**
 * Triggers in place of the foreign keys of predictions, which took 12 of 35 µs of a submission in PostgreSQL and 145 of 490 bytes of
 * log, most of it for a lock of each row's agent. They refuse the same, under the same names.
 */
export class PredictionKeys extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
-- In the order in which submissions lock them: one that had a part of them would be in a deadlock with this.
lock table agents, predictions, rounds in access exclusive mode;
alter table predictions drop constraint predictions_round_id_foreign, drop constraint predictions_agent_id_foreign;

-- A round is locked as its key would be, once for all of its predictions. Agents are not: who removes one waits for all
-- statements that add predictions (keep_predicted_agent), and a new snapshot sees that it is gone. Older snapshots do not.
create function refuse_unowned() returns trigger language plpgsql as $$
declare
  missing integer;
begin
  select a.round_id into missing from (select distinct round_id from added) a
  left join lateral (select id from rounds where id = a.round_id for key share) r on true
  where r.id is null limit 1;
  if missing is not null then
    raise exception 'there is no round %', missing
      using errcode = 'foreign_key_violation', constraint = 'predictions_round_id_foreign', table = 'predictions';
  end if;
  if current_setting('transaction_isolation') <> 'read committed' then
    perform from agents where id in (select agent_id from added) for key share;
  end if;
  select a.agent_id into missing from added a where (select id from agents where id = a.agent_id) is null limit 1;
  if missing is not null then
    raise exception 'there is no agent %', missing
      using errcode = 'foreign_key_violation', constraint = 'predictions_agent_id_foreign', table = 'predictions';
  end if;
  return null;
end
$$;
create trigger predictions_foreign after insert on predictions
  referencing new table as added for each statement execute function refuse_unowned();

-- A snapshot from before a prediction does not show it to a trigger, as it would to a foreign key: nothing is removed by one.
create function keep_predicted_round() returns trigger language plpgsql as $$
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
create trigger rounds_predicted before delete or update of id on rounds
  for each row execute function keep_predicted_round();

create function keep_predicted_agent() returns trigger language plpgsql as $$
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
create trigger agents_predicted before delete or update of id on agents
  for each row execute function keep_predicted_agent();
create trigger agents_predicted_all before truncate on agents
  for each statement execute function keep_predicted_agent();
`;
