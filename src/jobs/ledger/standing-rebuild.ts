import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { byAlias } from '../../reads/plan/by-alias.ts';
import { rows } from '../../reads/sql.ts';
import { SECOND } from '../../rules/hours.ts';
import { FIRST_TIER, TIER_NAMES } from '../../rules/tiers.ts';
import { withPlannerHint } from '../../database/planner-hints.ts';
import { rewriteBoards } from './board-places.ts';
import type { Move } from './moves.ts';
import { standingsAfter, STREAKS_RESOLVED, type TierChange } from './standing-statements.ts';

/** The wait for readers of standings, in real milliseconds; later readers wait as long. */
const LOCK_MS = SECOND / 2;
/** The wait for a vacuum of standings, while readers go on: autovacuum yields after `deadlock_timeout`, a second. */
const CLAIM_MS = 3 * SECOND;

/** Named, since the planner expects too many rows of other tiers than the first to read an index. */
const HIGHER_TIERS = sql.join(TIER_NAMES.filter((tier) => tier !== FIRST_TIER).map((tier) => sql.lit(tier)));

const { n, o } = byAlias({ n: 'standings', o: 'standings' });

/**
 * Writes all standings into a new table, which then replaces the old one, and the boards; returns the changes of tiers. Rows
 * of a new table need no log where `wal_level` is minimal, as on the embedded PostgreSQL, and leave no dead rows. Readers use
 * the old table until the last moment. Runs in a savepoint: it throws PostgreSQL's `lock_not_available` when a reader does not
 * release the table in time, and an error where other views or keys depend on it. Autovacuum of the table is locked out from
 * the beginning, since it would outlast the wait for readers.
 */
export async function rebuildStandings(
  transaction: SqlEntityManager,
  moves: readonly Move[],
): Promise<readonly TierChange[]> {
  const tables = transaction.getKysely();
  const run = async (statement: string): Promise<void> => void (await sql.raw(statement).execute(tables));
  const lock = async (mode: string, ms: number): Promise<void> => {
    await run(`set local lock_timeout = ${ms}`);
    await run(`lock table standings in ${mode} mode`);
    await run('set local lock_timeout = 0');
  };
  await lock('share update exclusive', CLAIM_MS);
  const [shape] = await rows<{ columns: string; clauses: string }>(transaction)`${SHAPE}`;
  if (shape === undefined) throw new Error('The table standings must have columns');
  // The commit flushes the table while readers wait. Unlike inserted rows, the rows of a query are written on the way.
  await run(`set local backend_flush_after = '256kB'`);
  const create = sql`
    create table standings_next with (fillfactor = 80) as
    select ${sql.raw(shape.columns)} from (${standingsAfter(moves, 'all', STREAKS_RESOLVED)}) after`;
  // The scores of one round lie in the order of agents already; those of several are grouped.
  const isOrdered = moves.every(({ rounds }) => rounds.length === 1);
  await withPlannerHint(transaction, isOrdered ? 'mergeJoins' : 'hashJoins', () => create.execute(tables));
  await run(`alter table standings_next ${shape.clauses}`);
  const tierChanges = await withPlannerHint(transaction, 'hashJoins', async () => {
    for (const statement of INDEXES) await run(statement);
    return rows<TierChange>(transaction)`
      select coalesce(${n('agent_id')}, ${o('agent_id')}) as "agentId", coalesce(${o('tier')}, 'bronze') as "from",
        coalesce(${n('tier')}, 'bronze') as "to"
      from (select * from standings_next where tier in (${HIGHER_TIERS})) n
      full join (select * from standings where tier in (${HIGHER_TIERS})) o on ${o('agent_id')} = ${n('agent_id')}
      where ${n('tier')} is distinct from ${o('tier')} order by 1`;
  });
  await rewriteBoards(transaction, 'standings_next');
  await run(RIGHTS_AND_SETTINGS);
  // Readers wait from here until the commit.
  await lock('access exclusive', LOCK_MS);
  await run(SWAP);
  return tierChanges;
}

/**
 * The columns with their types, and the clauses that add constraints and defaults. Not-null constraints have names since
 * PostgreSQL 18.
 */
const SHAPE = sql`
  select string_agg(format('%1$I::%2$s', attname, format_type(atttypid, atttypmod)), ', ' order by attnum) as columns,
    concat_ws(', ',
      (select string_agg(format('add constraint %I %s', conname, pg_get_constraintdef(oid)), ', ')
        from pg_constraint where conrelid = 'standings'::regclass and contype in ('c', 'n')),
      string_agg(format('alter %I set default %s', attname, pg_get_expr(adbin, adrelid)), ', ') filter (where adbin is not null),
      string_agg(format('alter %I set not null', attname), ', ')
        filter (where attnotnull and current_setting('server_version_num')::int < 180000)) as clauses
  from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attrelid = 'standings'::regclass and attnum > 0 and not attisdropped`;

const INDEXES = [
  'alter table standings_next add constraint standings_next_pkey primary key (agent_id)',
  `create index standings_next_tier on standings_next (tier, agent_id) where tier <> 'bronze'`,
  'create index standings_next_points on standings_next (alltime_points desc, agent_id)',
  `alter table standings_next add constraint standings_agent_id_foreign
    foreign key (agent_id) references agents (id) on update no action on delete no action`,
];

/** Gives the new table the old one's rights and settings except `fillfactor`. */
const RIGHTS_AND_SETTINGS = `do $$
  declare r record;
  begin
    for r in select g.grantee, g.privilege_type, g.is_grantable
      from pg_class c, aclexplode(c.relacl) g where c.oid = 'standings'::regclass and g.grantee <> c.relowner
    loop
      execute format('grant %s on standings_next to %s%s', r.privilege_type,
        case r.grantee when 0 then 'public' else r.grantee::regrole::text end,
        case when r.is_grantable then ' with grant option' else '' end);
    end loop;
    for r in select o.option_name, o.option_value from pg_class c, pg_options_to_table(c.reloptions) o
      where c.oid = 'standings'::regclass and o.option_name <> 'fillfactor'
    loop
      execute format('alter table standings_next set (%I = %L)', r.option_name, r.option_value);
    end loop;
  end $$`;

/** Gives the new table the old one's name and those of its indexes. */
const SWAP = `
  drop table standings;
  alter table standings_next rename to standings;
  alter table standings rename constraint standings_next_pkey to standings_pkey;
  alter index standings_next_tier rename to standings_tier;
  alter index standings_next_points rename to standings_points`;
