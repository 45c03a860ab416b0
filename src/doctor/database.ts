import type { Client, QueryResultRow } from 'pg';

import { OTHER_PEPPER } from '../app/note-pepper.ts';
import { refuseBehind } from '../app/open-clock.ts';
import { takenBy } from '../database/connection-shares.ts';
import { refuseOtherVersions } from '../database/migrate.ts';
import { PLANNING } from '../database/session.ts';
import { MIGRATIONS } from '../entities/migrations/index.ts';
import { pepperMark } from '../resolvers/keys.ts';
import { SECOND } from '../rules/hours.ts';
import type { Remark, Deployment } from './finding.ts';
import { GRANTS } from './grants.ts';

interface ConnectedDeployment extends Deployment {
  readonly client: Client;
}

/** The checks, in order. */
export const DATABASE_CHECKS = { database, migrations, rights, connections, clock, pepper };

/** A greater difference of clocks affects deadlines. */
export const CLOCK_MS = SECOND;

const SERVER = `
  select format('PostgreSQL must be 14 or newer (it is %s).', current_setting('server_version')) as what
    where current_setting('server_version_num')::int < 140000
  union all select 'DATABASE_URL must name a server that takes writes (it is a standby).' where pg_is_in_recovery()
  union all select format('What was answered may be lost: %s of PostgreSQL must not be off.', name) from pg_settings
    where setting = 'off' and name in ('fsync', 'full_page_writes', 'synchronous_commit')`;

/** Planner settings that differ from PostgreSQL's defaults, or (`$1`) from those that the service's connections set. */
const PLANS = `
  select name, setting, boot_val as usual from pg_settings
  where setting <> boot_val and name not in ('jit', 'max_parallel_workers_per_gather')
    and (name like 'enable\\_%' or name in ('plan_cache_mode', 'geqo', 'join_collapse_limit', 'from_collapse_limit'))
  union all select name, setting, $1::jsonb ->> name from pg_settings
  where $1::jsonb ? name and setting <> $1::jsonb ->> name order by name`;

async function database({ client }: ConnectedDeployment): Promise<readonly Remark[]> {
  const faults = await ask<{ what: string }>(client, SERVER);
  const plans = await ask<{ name: string; setting: string; usual: string }>(client, PLANS, [JSON.stringify(PLANNING)]);
  const differing = plans.map(({ name, setting, usual }) => `${name} is ${setting} (${usual})`).join(', ');
  const setAnyway = Object.keys(PLANNING).join(' and ');
  return [
    ...faults.map(({ what }) => what),
    differing === ''
      ? null
      : {
          note: `PostgreSQL plans with other settings than the service was measured with: ${differing}. Its own connections set ${setAnyway}.`,
        },
  ];
}

async function migrations({ client }: ConnectedDeployment): Promise<readonly Remark[]> {
  const [may] = await ask<{ begun: boolean; make: boolean }>(
    client,
    `select to_regclass('migrations') is not null as begun, has_schema_privilege('public', 'create') as make`,
  );
  const found = may?.begun ? await ask<{ name: string }>(client, 'select name from migrations order by id') : [];
  const executed = found.map(({ name }) => name);
  refuseOtherVersions(executed);
  const owed = MIGRATIONS.filter(({ name }) => !executed.includes(name)).length;
  const start = may?.make ? 'The next start makes' : 'Start the service once as the owner, which makes';
  const what = `${start} what the database lacks: ${owed} of ${MIGRATIONS.length} migrations.`;
  return [owed === 0 ? null : may?.make ? { note: what } : what];
}

/** It reads every table and writes those of the queue; `GRANTS` are its other rights. */
const RIGHTS = `
  with ours as (select c.oid, relname, relkind, nspname from pg_class c join pg_namespace n on n.oid = relnamespace
    where relkind in ('r', 'p', 'S') and not relispartition and relowner = (select relowner from pg_class where oid = to_regclass('platform'))
      and nspname = any($3)),
  needed as (
    select oid, relname, 'select' as r from ours where relkind <> 'S'
    union select oid, relname, r from ours, unnest(array['insert', 'update', 'delete']) r where relkind = 'r' and nspname = 'bullmq'
    union select oid, relname, r from ours, unnest($1::text[], $2::text[]) g (t, r) where t = relname and nspname = 'public')
  select format('%s on %s', r, relname) as lacks from needed
    where not case r when 'delete' then has_table_privilege(oid, r) else has_any_column_privilege(oid, r) end
  union all select format('usage on %s', relname) from ours
    where case relkind when 'S' then not has_sequence_privilege(oid, 'usage') else false end
  union all select format('%s on %s', r, t) from unnest($1::text[], $2::text[]) g (t, r)
    where case when t like 'function %' then not has_function_privilege(to_regproc(replace(t, 'function ', '')), r) else false end
  union all select 'temporary on the database' where not has_database_privilege(current_database(), 'temporary')
  order by lacks`;

async function rights({ client, config }: ConnectedDeployment): Promise<readonly Remark[]> {
  const granted = GRANTS.flatMap(({ rights: given, tables }) =>
    given
      .split(', ')
      .flatMap((right) => tables.split(/,\s*/).map((table) => ({ table, right: right.replace(/ .*/, '') }))),
  );
  const schemas = config.redis === null ? ['public', 'bullmq'] : ['public'];
  const values = [granted.map(({ table }) => table), granted.map(({ right }) => right), schemas];
  const lacks = (await ask<{ lacks: string }>(client, RIGHTS, values)).map((row) => row.lacks).join(', ');
  return [
    lacks === ''
      ? null
      : `The database role lacks these rights: ${lacks}. docs/security.md lists the statements that grant them.`,
  ];
}

/** PostgreSQL hides the kind of other roles' sessions, but not the program's name. */
const SESSIONS = `
  select application_name as name, datname = current_database() as here, count(*)::int as count from pg_stat_activity
    where datname is not null and coalesce(backend_type, 'client backend') = 'client backend' and pid <> pg_backend_pid()
    group by 1, 2`;
const ROOM = `
  select least(most - kept, nullif(rolconnlimit, -1), nullif(datconnlimit, -1)) as room, most, kept
    from pg_roles, pg_database, (select current_setting('max_connections')::int as most, sum(setting::int)::int as kept
      from pg_settings where name in ('superuser_reserved_connections', 'reserved_connections')) server
    where rolname = current_user and datname = current_database()`;

const NO_LIMIT = { room: Infinity, most: 0, kept: 0 };

async function connections({ client, config }: ConnectedDeployment): Promise<readonly Remark[]> {
  const sessions = await ask<{ name: string; here: boolean; count: number }>(client, SESSIONS);
  const [{ room, most, kept } = NO_LIMIT] = await ask<typeof NO_LIMIT>(client, ROOM);
  const ours = sessions.filter(({ name }) => takenBy(name) !== null);
  const others = sessions.reduce((sum, { name, count }) => sum + (takenBy(name) === null ? count : 0), 0);
  const may = ours.reduce((sum, { name }) => sum + (takenBy(name) ?? 0), 0) || config.databaseConnections;
  const here = ours.filter((session) => session.here).length;
  return [
    may + others <= room
      ? null
      : `${ours.length || 1} processes may take ${may} connections and others hold ${others}, but PostgreSQL has ${room} for ` +
        `them (max_connections ${most}, ${kept} of them reserved): raise that, or lower DATABASE_CONNECTIONS.`,
    here > 1 && config.redis === null
      ? `${here} processes run on this database and REDIS_URL is unset: each counts limits separately.`
      : null,
  ];
}

async function clock({ client, now, platform }: ConnectedDeployment): Promise<readonly Remark[]> {
  const before = now().getTime();
  const [there] = await ask<{ at: Date }>(client, 'select clock_timestamp() as at');
  const after = now().getTime();
  const isReal = platform?.['clock_speed'] === 1 && platform['clock_service_at'] === platform['clock_real_at'];
  const [newest] = isReal ? await ask<{ at: Date }>(client, 'select at from events order by seq desc limit 1') : [];
  if (newest !== undefined) refuseBehind(now(), newest.at);
  const aheadMs = (before + after) / 2 - (there?.at.getTime() ?? before);
  return [
    Math.abs(aheadMs) > CLOCK_MS + (after - before) / 2 ? otherClock(aheadMs, 'that of the database’s machine') : null,
  ];
}

export function otherClock(aheadMs: number, of: string): string {
  const by = `${(Math.abs(aheadMs) / SECOND).toFixed(1)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
  return `This machine’s clock is ${by} ${of}: keep both right by NTP.`;
}

function pepper({ platform, config: { keyPepper } }: ConnectedDeployment): readonly Remark[] {
  const noted = platform?.['pepper_mark'] ?? pepperMark(keyPepper);
  if (noted === pepperMark(keyPepper)) return [];
  return [keyPepper === undefined ? `KEY_PEPPER is unset here. ${OTHER_PEPPER}` : OTHER_PEPPER];
}

async function ask<Row extends QueryResultRow>(client: Client, text: string, values: readonly unknown[] = []) {
  return (await client.query<Row>(text, [...values])).rows;
}
