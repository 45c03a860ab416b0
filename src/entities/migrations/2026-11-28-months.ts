import { Migration } from '@mikro-orm/migrations';

import { appendOnly } from './first-schema/values.ts';

/**
 * Predictions, scores and rationales by month. The present tables become the first partition without a scan: it takes
 * every round until `make_months` cuts it at the next month.
 */
export class Months extends Migration {
  override up(): void {
    this.addSql(SCHEMA);
  }
}

/** The indexes of each table, which give way to those of the partitioned one. */
const INDEXES = {
  predictions: ['pkey', 'id_unique', 'round_order', 'idempotency_key'],
  scores: ['pkey', 'agent_rounds'],
  rationales: ['pkey', 'agent'],
};

const PARTED = Object.keys(INDEXES);

const RENAMED = Object.entries(INDEXES).flatMap(([table, indexes]) => [
  `alter table ${table} rename to ${table}_first;`,
  ...indexes.map((index) => `alter index ${table}_${index} rename to ${table}_first_${index};`),
]);

const PARENTS = PARTED.map(
  (table) => `
create table ${table} (like ${table}_first including defaults including constraints including storage)
  partition by range (round_id);`,
);

const ATTACHED = PARTED.map(
  (table) => `alter table ${table} attach partition ${table}_first for values from (minvalue) to (maxvalue);`,
);

const TABLES = `array['${PARTED.join("', '")}']`;

const SCHEMA = `
alter table rationales drop constraint rationales_prediction_foreign;
drop trigger predictions_foreign on predictions;
drop trigger scores_prediction_foreign on scores;
${RENAMED.join('\n')}
${PARENTS.join('')}
alter sequence predictions_id_seq owned by predictions.id;

-- In this order: of two indexes that fit an empty month as well, the planner takes the later one, and keeps it.
create index predictions_round_order on predictions (round_id, id);
alter table predictions add constraint predictions_pkey primary key (round_id, agent_id);
create index predictions_idempotency_key on predictions (agent_id, idempotency_key) where idempotency_key is not null;
alter table scores add constraint scores_pkey primary key (round_id, place);
create unique index scores_agent_rounds on scores (agent_id, round_id)
  include (is_correct, score, streak_bonus, pnl_usd, brier, edge_millionths);
alter table rationales add constraint rationales_pkey primary key (round_id, agent_id);
create index rationales_agent on rationales (agent_id, round_id);
${ATTACHED.join('\n')}

${appendOnly('predictions')}
${appendOnly('scores')}
create trigger predictions_foreign after insert on predictions
  referencing new table as added for each statement execute function refuse_unowned();
create trigger scores_prediction_foreign after insert on scores
  referencing new table as added for each statement execute function refuse_unpredicted();

-- Replaces a foreign key: to detach a month would look through all rationales for it.
create function refuse_unanswered() returns trigger language plpgsql as $$
declare
  missing record;
begin
  select a.round_id, a.agent_id into missing from added a
  where (select p.agent_id from predictions p where p.round_id = a.round_id and p.agent_id = a.agent_id) is null limit 1;
  if missing.round_id is not null then
    raise exception 'there is no prediction of agent % in round %', missing.agent_id, missing.round_id
      using errcode = 'foreign_key_violation', constraint = 'rationales_prediction_foreign', table = 'rationales';
  end if;
  return null;
end
$$;
create trigger rationales_prediction_foreign after insert on rationales
  referencing new table as added for each statement execute function refuse_unanswered();

-- Whoever may read or write the tables until now still may, also while a process of the version before runs.
do $$
declare
  parted text;
  given record;
begin
  foreach parted in array ${TABLES} loop
    for given in
      select null::text as col, a.* from pg_class c, aclexplode(c.relacl) a
      where c.oid = (parted || '_first')::regclass and a.grantee <> c.relowner
      union all
      select t.attname, a.* from pg_attribute t, aclexplode(t.attacl) a where t.attrelid = (parted || '_first')::regclass
    loop
      execute format('grant %s %s on %I to %s', given.privilege_type, coalesce(format('(%I)', given.col), ''), parted,
        case given.grantee when 0 then 'public' else given.grantee::regrole::text end);
    end loop;
  end loop;
end
$$;

create table months (
  month varchar(7) primary key,
  first_round int not null,
  until_round int not null,
  archived_at timestamptz(3) null,
  dropped_at timestamptz(3) null,
  constraint months_rounds_check check (first_round < until_round),
  constraint months_dropped_check check (dropped_at is null or archived_at is not null)
);
alter table rounds add column archived boolean not null default false;
create table carried_streaks (
  agent_id int primary key,
  streak int not null,
  best int not null
);

create function add_month(name text, first_round int, until_round int) returns void language plpgsql as $$
declare
  parted text;
  part text;
begin
  foreach parted in array ${TABLES} loop
    part := parted || '_' || replace(name, '-', '_');
    execute format('create table %I (like %I including defaults including constraints including storage)', part, parted);
    if parted = 'predictions' then
      execute format('alter table %I add constraint %I unique (id)', part, part || '_id_unique');
    end if;
    if parted <> 'rationales' then
      execute format('create trigger %I before update or delete or truncate on %I
        for each statement execute function refuse_change()', parted || '_kept', part);
    end if;
    execute format('alter table %I attach partition %I for values from (%s) to (%s)', parted, part, first_round,
      until_round);
  end loop;
  insert into months values (name, first_round, until_round);
end
$$;

-- The next step of what is due; true if nothing is. Each is a transaction of its own: none locks and scans. As owner: the
-- service's role may make no tables. Without parameters: whoever may call it does no harm.
create function make_months() returns boolean language plpgsql security definer as $$
declare
  newest int;
  newest_start timestamp;
  last_month text;
  until_round int;
  border timestamp;
  parted text;
begin
  select greatest(id, pg_sequence_last_value('rounds_id_seq')), start_time at time zone 'UTC' into newest, newest_start
  from rounds order by id desc limit 1;
  if newest is null then return true; end if;
  select m.month, m.until_round into last_month, until_round from months m order by m.month desc limit 1;
  if last_month is null then
    border := date_trunc('month', newest_start + interval '7 days') + interval '1 month';
    until_round := newest + extract(epoch from border - newest_start) / 3600;
    foreach parted in array ${TABLES} loop
      execute format('alter table %I add constraint cut check (round_id < %s) not valid', parted || '_first', until_round);
    end loop;
    insert into months select to_char(border - interval '1 day', 'YYYY-MM'), coalesce(max(id) + 1, 0), until_round
    from rounds where archived;
    return false;
  end if;
  if to_regclass('predictions_first') is not null then
    foreach parted in array ${TABLES} loop
      if not (select convalidated from pg_constraint
          where conrelid = (parted || '_first')::regclass and conname = 'cut') then
        execute format('alter table %I validate constraint cut', parted || '_first');
        return false;
      end if;
    end loop;
    foreach parted in array ${TABLES} loop
      execute format('alter table %I detach partition %I', parted, parted || '_first');
      execute format('alter table %I attach partition %I for values from (minvalue) to (%s)', parted, parted || '_first',
        until_round);
      execute format('alter table %I drop constraint cut', parted || '_first');
      execute format('alter table %I rename to %I', parted || '_first', parted || '_' || replace(last_month, '-', '_'));
    end loop;
  elsif last_month > to_char(newest_start, 'YYYY-MM') and newest + 240 < until_round then
    -- A crash of PostgreSQL skips up to 32 ids.
    return true;
  end if;
  border := greatest((last_month || '-01')::timestamp + interval '1 month', date_trunc('month', newest_start));
  perform add_month(to_char(border, 'YYYY-MM'), until_round, greatest(until_round + 1,
    newest + (extract(epoch from border + interval '1 month' - newest_start) / 3600)::int));
  return false;
end
$$;

-- Drops the tables of an archived month: in a moment, whatever they hold. For the service's role alone.
create function drop_month(name text, at timestamptz) returns void language plpgsql security definer as $$
declare
  dropped months%rowtype;
  parted text;
begin
  update months set dropped_at = at where month = name and dropped_at is null and archived_at is not null
    returning * into strict dropped;
  update rounds set archived = true where id >= dropped.first_round and id < dropped.until_round;
  foreach parted in array ${TABLES} loop
    execute format('drop table %I', parted || '_' || replace(name, '-', '_'));
  end loop;
end
$$;
revoke execute on function drop_month from public;

-- No table of a caller's own is taken for one of the service.
do $$
begin
  execute format('alter function make_months set search_path = %I, pg_temp', current_schema());
  execute format('alter function drop_month set search_path = %I, pg_temp', current_schema());
end
$$;
`;
