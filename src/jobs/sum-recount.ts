import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { HOUR, SECOND } from '../rules/hours.ts';
import { PERIODS, WINDOW_LENGTHS } from '../rules/windows.ts';
import { planned } from './planning.ts';
import { figureList, kindSql, RECOUNTED } from './score-figures.ts';
import { TIER_OF_STANDING, type TierChange } from './standing-statements.ts';

/**
 * Adds up from all scores what versions before 0.3 do not keep in standings, where the newest resolution was one of
 * theirs; returns whose tier changes by it. Under the lock of resolutions. It reads the history once, after an upgrade.
 */
export async function recountSums(transaction: SqlEntityManager): Promise<readonly TierChange[]> {
  const database = transaction.getKysely();
  const { rows } = await sql<{ isKept: boolean }>`
    select coalesce(sums_kept_at = boards_updated_at, false) as "isKept" from platform where id = 1`.execute(database);
  if (rows[0]?.isKept === true) return [];
  const changes = await planned(transaction, 'whole', () => recount(transaction));
  await sql`update platform set sums_kept_at = boards_updated_at where id = 1`.execute(database);
  return changes;
}

async function recount(transaction: SqlEntityManager): Promise<readonly TierChange[]> {
  const database = transaction.getKysely();
  const { rows: counts } = await sql<{ count: number }>`
    select distinct jsonb_array_length(choices) as count from rounds where status = 'resolved'`.execute(database);
  if (counts.length === 0) return [];
  const kind = kindSql(
    counts.map(({ count }) => count),
    sql`r.choice_count`,
  );
  const sums = PERIODS.flatMap((period) =>
    RECOUNTED.map((column) => `coalesce(sum(${column}) filter (where in_${period}), 0) as ${period}_${column}`),
  );
  const sets = PERIODS.flatMap((period) => RECOUNTED.map((column) => `${period}_${column} = x.${period}_${column}`));
  await sql`
    update standings t set ${sql.raw(sets.join(', '))} from (
      select agent_id, ${sql.raw(sums.join(', '))} from (
        select s.agent_id, r.*, ${figureList(kind, (figure) => figure)}
        from scores s join (select id, jsonb_array_length(choices) as choice_count, ${IN_WINDOWS} from rounds
          cross join (select newest_resolved_end as newest from platform where id = 1) p where status = 'resolved') r
          on r.id = s.round_id
      ) one group by agent_id
    ) x where x.agent_id = t.agent_id`.execute(database);
  const { rows } = await sql<TierChange>`
    with next as materialized (select n.agent_id, n.tier as before, ${TIER_OF_STANDING} as tier from standings n),
    written as (
      update standings t set tier = n.tier from next n where n.agent_id = t.agent_id and n.tier <> n.before
    )
    select agent_id as "agentId", before as "from", tier as "to" from next where tier <> before order by 1`.execute(
    database,
  );
  return rows;
}

/** Whether a round lies in each window, as `inWindow` of rules/windows.ts has it. Every round lasts one hour. */
const IN_WINDOWS = sql.raw(
  PERIODS.map((period) => {
    const length = WINDOW_LENGTHS[period];
    const inside = length === null ? 'true' : `start_time > newest - interval '${(length + HOUR) / SECOND} seconds'`;
    return `${inside} as in_${period}`;
  }).join(', '),
);
