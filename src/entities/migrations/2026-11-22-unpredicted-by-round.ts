import { Migration } from '@mikro-orm/migrations';

/** Scores are held against the predictions of their rounds alone: a join of many read those of all history. */
export class UnpredictedByRound extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

const SCHEMA = `
create or replace function refuse_unpredicted() returns trigger language plpgsql as $$
declare
  rounds record;
  found record;
begin
  select min(round_id) as first, max(round_id) as last from added into rounds;
  -- Planned for each statement: a plan for few rows is a bad one for a million.
  execute 'select a.round_id, a.agent_id from added a
    left join (select round_id, agent_id from predictions where round_id between $1 and $2) p
      on p.round_id = a.round_id and p.agent_id = a.agent_id
    where p.round_id is null limit 1' into found using rounds.first, rounds.last;
  if found.round_id is not null then
    raise exception 'there is no prediction of agent % in round %', found.agent_id, found.round_id
      using errcode = 'foreign_key_violation', constraint = 'scores_prediction_foreign', table = 'scores';
  end if;
  return null;
end
$$;
`;
