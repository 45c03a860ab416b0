import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { Platform } from '../entities/platform.ts';
import type { DB, Row } from '../entities/tables.ts';
import { DAY } from '../rules/hours.ts';
import type { Picks } from '../rules/predictions.ts';
import { OVER_STATUSES, ROUND_STATUSES } from '../rules/round-states.ts';
import { FIRST_TIER, type Tier } from '../rules/tiers.ts';
import { rows } from './sql.ts';

/** The row that all processes share, as it is now. It is made when the database is first opened. */
export function platformRow(em: SqlEntityManager): Promise<Platform> {
  return em.findOneOrFail(Platform, { id: 1 }, { refresh: true });
}

interface OpenCounts {
  readonly agents: number;
  readonly openPredictions: number;
  /** Of those the ones whose confidences are shown, and the sum of these. */
  readonly openConfident: number;
  readonly openConfidences: number;
}

/**
 * Agents that hold their name at `now` (`holdsName` of agents.ts), which are looked up where the reservation ends today and
 * else counted already (entities/agent.ts), and what rounds that are not decided yet have taken so far.
 */
export async function countNow(em: SqlEntityManager, { now, picks }: { readonly now: Date; readonly picks: Picks }) {
  const shown = picks === 'sealed' ? OVER_STATUSES : ROUND_STATUSES;
  const today = Math.floor(now.getTime() / DAY);
  const tomorrow = new Date((today + 1) * DAY);
  const found = await rows<OpenCounts>(em)`
    select
      (select coalesce(sum(agents), 0) from name_counts where last_day > ${today}::int)::int
        + (select count(*) from agents where mode = 'spectate' and name_key is not null
            and reserved_until > ${now} and reserved_until < ${tomorrow})::int as agents,
      coalesce(sum(total_entries), 0)::bigint as "openPredictions",
      coalesce(sum(total_entries) filter (where status = any(${[...shown]})), 0)::bigint as "openConfident",
      coalesce(sum(confidence_sum) filter (where status = any(${[...shown]})), 0)::bigint as "openConfidences"
    from rounds where status in ('upcoming', 'active', 'resolving')`;
  const [counts] = found;
  if (counts === undefined) throw new Error('An aggregate without grouping gave no row');
  return counts;
}

/** The first of the board over all time, if anybody is on it. */
export async function topAgent(em: SqlEntityManager) {
  const found = await rows<Pick<Row<'agents'>, 'name'> & Pick<Row<'standings'>, 'tier'>>(em)`
    select a.name, s.tier from board_places b join agents a on a.id = b.agent_id join standings s on s.agent_id = a.id
    where b.period = 'alltime' and b.position = 1`;
  return found[0];
}

/** Who has no standing yet is in the first tier, like everybody at first. */
export async function holdersOf(em: SqlEntityManager, agents: number): Promise<Record<Tier, number>> {
  const held = em.getKysely<DB>().selectFrom('standings').where('tier', '<>', sql.lit(FIRST_TIER)).groupBy('tier');
  const found = await held.select(({ fn }) => ['tier', fn.countAll<number>().as('holders')]).execute();
  const holders: Record<Tier, number> = { bronze: 0, silver: 0, gold: 0, diamond: 0, [FIRST_TIER]: agents };
  for (const row of found) {
    holders[row.tier] = row.holders;
    holders[FIRST_TIER] -= row.holders;
  }
  return holders;
}
