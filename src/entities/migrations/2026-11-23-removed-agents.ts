import { Migration } from '@mikro-orm/migrations';

/**
 * Whether an agent that is removed has predictions is looked up by keys: in scores by agent, and for rounds without scores
 * by round and agent. It was looked for in all predictions, while submissions waited.
 */
export class RemovedAgents extends Migration {
  override up(): void {
    this.addSql(FUNCTION);
  }
}

const FUNCTION = `
create or replace function keep_predicted_agent() returns trigger language plpgsql as $$
declare
  has_predicted boolean;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'agents must be removed under read committed (got %)', current_setting('transaction_isolation')
      using errcode = 'invalid_transaction_state';
  end if;
  lock table predictions in share row exclusive mode;
  if tg_op = 'TRUNCATE' then
    has_predicted := exists (select from predictions);
  else
    -- A prediction has a score, or its round is one of the few without scores; so nothing is read whole.
    has_predicted := exists (select from scores where agent_id = old.id) or exists (
      select from rounds r
      cross join lateral (select from predictions where round_id = r.id and agent_id = old.id offset 0) p
      where r.status <> 'resolved');
  end if;
  if has_predicted then
    raise exception '% of agents with predictions is refused', lower(tg_op)
      using errcode = 'foreign_key_violation', constraint = 'predictions_agent_id_foreign', table = 'agents';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
`;
