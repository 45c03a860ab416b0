import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type Expression, sql } from 'kysely';

import type { DB } from '../entities/tables.ts';
import { DAY } from '../rules/hours.ts';
import type { Picks } from '../rules/predictions.ts';
import { OVER_STATUSES, ROUND_STATUSES, UNDECIDED_STATUSES } from '../rules/round-states.ts';
import { FIRST_TIER, type Tier } from '../rules/tiers.ts';
import { anyOf } from './fragments.ts';

/**
 * Agents that hold their name at `now` (`holdsName` of agents.ts), and what decided rounds and undecided ones have received;
 * confident are those whose confidences are public. `name_counts` has the agents but those whose reservation ends today.
 * One statement: a decision between two would move a round's predictions out of both counts.
 */
export async function countNow(em: SqlEntityManager, { now, picks }: { readonly now: Date; readonly picks: Picks }) {
  const shown = picks === 'sealed' ? OVER_STATUSES : ROUND_STATUSES;
  const today = Math.floor(now.getTime() / DAY);
  const tables = em.getKysely<DB>();
  const counted = tables
    .selectFrom('name_counts')
    .where('last_day', '>', today)
    .select(({ fn }) => fn.coalesce(fn.sum<number>('agents'), sql.lit(0)).as('n'));
  const reserved = tables
    .selectFrom('agents')
    .where('mode', '=', sql.lit('spectate'))
    .where('name_key', 'is not', null)
    .where('reserved_until', '>', now)
    .where('reserved_until', '<', new Date((today + 1) * DAY))
    .select(({ fn }) => fn.countAll<number>().as('n'));
  const open = tables
    .selectFrom('rounds')
    .where('status', 'in', OPEN)
    .select((of) => {
      const sum = (name: 'total_entries' | 'confidence_sum') => of.fn.sum<number>(name);
      const isShown = of('status', '=', anyOf(shown));
      const orNone = (total: Expression<number>) => of.cast<number>(of.fn.coalesce(total, of.lit(0)), 'bigint');
      return [
        of.cast<number>(of(of.parens(counted), '+', of.parens(reserved)), 'integer').as('agents'),
        orNone(sum('total_entries')).as('openPredictions'),
        orNone(sum('total_entries').filterWhere(isShown)).as('openConfident'),
        orNone(sum('confidence_sum').filterWhere(isShown)).as('openConfidences'),
      ];
    });
  return tables
    .selectFrom('platform as p')
    .crossJoin(open.as('open'))
    .selectAll('open')
    .select(['p.resolved_rounds as resolvedRounds', 'p.decided_predictions as decidedPredictions', 'p.skilled'])
    .select((of) => of.cast<number>('p.decided_confidence_sum', 'bigint').as('decidedConfidences'))
    .executeTakeFirstOrThrow();
}

const OPEN = UNDECIDED_STATUSES.map((status) => sql.lit(status));

/** The first of the board over all time, if it has any place. */
export async function topAgent(em: SqlEntityManager) {
  return em
    .getKysely<DB>()
    .selectFrom('board_places as b')
    .innerJoin('agents as a', 'a.id', 'b.agent_id')
    .innerJoin('standings as s', 's.agent_id', 'a.id')
    .where('b.period', '=', sql.lit('alltime'))
    .where('b.position', '=', sql.lit(1))
    .select(['a.name', 's.tier'])
    .executeTakeFirst();
}

/** The agents of each tier; those without a standing are in the first. */
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
