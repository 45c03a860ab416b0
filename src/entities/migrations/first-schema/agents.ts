/** The last day on which an agent's name is taken, as days since 1970; for good where it competes. */
const LAST_DAY = `case when mode = 'spectate' then floor(extract(epoch from least(reserved_until, '9999-12-31')) / 86400)::int else 2147483647 end`;

/**
 * Agents, and how many of them hold their names, counted as they come: by triggers that run with their owner's rights, so
 * that a role of less rights need not be granted anything for registering, and that find nothing by a name that such a
 * role could have given to a table of its own.
 */
export const AGENTS = `
create table agents (
  id serial primary key,
  name varchar(50) not null,
  name_key varchar(50) null,
  mode text not null,
  wallet_address varchar(64) null,
  key_hash varchar(64) not null,
  registered_at timestamptz(3) not null,
  reserved_until timestamptz(3) null,
  constraint agents_name_key_unique unique (name_key),
  constraint agents_key_hash_unique unique (key_hash),
  constraint agents_name_check check (name ~ '^[A-Za-z0-9_-]{3,50}$'),
  constraint agents_reservation_check check (mode <> 'spectate' or reserved_until is not null),
  constraint agents_mode_check check (mode in ('compete', 'spectate'))
);
create index agents_reserved_until on agents (reserved_until) where mode = 'spectate' and name_key is not null;

create table name_counts (last_day int not null primary key, agents int not null);

create function count_names() returns trigger language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
declare
  old_rows text := $q$select ${LAST_DAY}, -1 from before where name_key is not null$q$;
  new_rows text := $q$select ${LAST_DAY}, 1 from after where name_key is not null$q$;
  rows text := case tg_op when 'INSERT' then new_rows when 'DELETE' then old_rows
    else old_rows || ' union all ' || new_rows end;
begin
  -- In the order of days, in which all lock them.
  execute format('insert into %I.name_counts as c (last_day, agents)
    select last_day, sum(n) from (%s) changed(last_day, n)
    group by last_day having sum(n) <> 0 order by last_day
    on conflict (last_day) do update set agents = c.agents + excluded.agents', tg_table_schema, rows);
  return null;
end
$$;
create trigger agents_names_counted_insert after insert on agents
  referencing new table as after for each statement execute function count_names();
create trigger agents_names_counted_update after update on agents
  referencing old table as before new table as after for each statement execute function count_names();
create trigger agents_names_counted_delete after delete on agents
  referencing old table as before for each statement execute function count_names();
`;
