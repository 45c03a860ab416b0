import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { SECOND } from '../../rules/hours.ts';
import { withPlannerHint } from '../planner-hints.ts';
import type { Move } from './moves.ts';
import { STANDING_COLUMNS, standingsAfter, STREAKS_RESOLVED, type TierChange } from './standing-statements.ts';
import { rows } from '../../reads/sql.ts';

/** How long readers of standings are waited for, in real milliseconds; who comes after them waits as long. */
const LOCK_MS = SECOND / 2;
/** How long who vacuums standings is: PostgreSQL's own gives way after `deadlock_timeout`, a second, and readers do not wait. */
const CLAIM_MS = 3 * SECOND;

/**
 * Writes everybody's standing into a new table, which then replaces the old one; returns whose tier changed. Rows of a
 * new table need no log where PostgreSQL keeps the minimum of it, as the embedded one does, and leave no dead rows.
 * Readers keep the old table until the last moment. Throws PostgreSQL's `lock_not_available` when one of them does not
 * release it in time, and an error where views or keys of others need it; part of a savepoint. Autovacuum of the table
 * is kept off from the beginning, since it would outlast the wait for readers.
 */
export async function rebuildStandings(
  transaction: SqlEntityManager,
  moves: readonly Move[],
): Promise<readonly TierChange[]> {
  const database = transaction.getKysely();
  const columns = sql.raw(STANDING_COLUMNS.join(', '));
  const run = async (statement: RawBuilder<unknown>): Promise<void> => void (await statement.execute(database));
  const locked = async (mode: string, ms: number): Promise<void> => {
    await run(sql`select set_config('lock_timeout', ${String(ms)}, true)`);
    await run(sql`lock table standings in ${sql.raw(mode)} mode`);
    await run(sql`set local lock_timeout to default`);
  };
  await locked('share update exclusive', CLAIM_MS);
  await run(
    sql`create table standings_next (like standings including comments including constraints including defaults) with (fillfactor = 80)`,
  );
  // Of several rounds together the scores are in the order of agents only in the index of all history.
  const isOrdered = moves.every(({ rounds }) => rounds.length === 1);
  await withPlannerHint(transaction, isOrdered ? 'mergeJoins' : 'hashJoins', () =>
    run(
      sql`insert into standings_next (${columns}) select ${columns} from (${standingsAfter(moves, 'all', STREAKS_RESOLVED)}) after`,
    ),
  );
  const tierChanges = await withPlannerHint(transaction, 'hashJoins', async () => {
    for (const statement of INDEXES) await run(sql.raw(statement));
    return rows<TierChange>(transaction)`
      select coalesce(n.agent_id, o.agent_id) as "agentId", coalesce(o.tier, 'bronze') as "from",
        coalesce(n.tier, 'bronze') as "to"
      from (select agent_id, tier from standings_next where tier <> 'bronze') n
      full join (select agent_id, tier from standings where tier <> 'bronze') o on o.agent_id = n.agent_id
      where n.tier is distinct from o.tier order by 1`;
  });
  await locked('access exclusive', LOCK_MS);
  for (const statement of SWAP) await run(sql.raw(statement));
  return tierChanges;
}

const INDEXES = [
  'alter table standings_next add constraint standings_next_pkey primary key (agent_id)',
  `create index standings_next_tier on standings_next (tier, agent_id) where tier <> 'bronze'`,
  'create index standings_next_points on standings_next (alltime_points desc, agent_id)',
  `alter table standings_next add constraint standings_agent_id_foreign
    foreign key (agent_id) references agents (id) on update no action on delete no action`,
];

/** The new table gets the old one's rights and settings, but for how full its pages are; then its name and those of its indexes. */
const SWAP = [
  `do $$
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
  end $$`,
  'drop table standings',
  'alter table standings_next rename to standings',
  'alter table standings rename constraint standings_next_pkey to standings_pkey',
  'alter index standings_next_tier rename to standings_tier',
  'alter index standings_next_points rename to standings_points',
];
