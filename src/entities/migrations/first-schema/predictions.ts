import { appendOnly } from './values.ts';

/**
 * Predictions and their scores. Triggers stand in place of their foreign keys, which would lock a row of the agent, or look
 * up one of the prediction, for each row that is added; they refuse the same, under the same names.
 */
export const PREDICTIONS = `
create table predictions (
  round_id int not null,
  agent_id int not null,
  id serial not null,
  prediction varchar(8) not null,
  confidence smallint not null,
  submitted_at timestamptz(3) not null,
  idempotency_key varchar(128) null,
  primary key (round_id, agent_id),
  constraint predictions_id_unique unique (id),
  constraint predictions_confidence_check check (confidence >= 0 and confidence <= 100)
);
create index predictions_round_order on predictions (round_id, id);
create index predictions_idempotency_key on predictions (agent_id, idempotency_key) where idempotency_key is not null;
${appendOnly('predictions')}

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

create table scores (
  round_id int not null,
  agent_id int not null,
  is_correct boolean not null,
  score smallint not null,
  streak_bonus smallint not null,
  place int not null,
  arena_points smallint not null,
  pnl_usd numeric(7,2) not null,
  brier numeric(5,4) not null,
  reference_brier numeric(7,6) not null,
  confidence smallint null,
  edge_millionths int null,
  contribution_billionths int null,
  peer_millionths int null,
  primary key (round_id, place),
  constraint scores_pnl_check check (pnl_usd >= '-100'::integer)
);
-- An agent's record is read from this index alone; a prediction has one score by it.
create unique index scores_agent_rounds on scores (agent_id, round_id)
  include (is_correct, score, streak_bonus, pnl_usd, brier, edge_millionths);
${appendOnly('scores')}

create function refuse_unpredicted() returns trigger language plpgsql as $$
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
create trigger scores_prediction_foreign after insert on scores
  referencing new table as added for each statement execute function refuse_unpredicted();
`;
