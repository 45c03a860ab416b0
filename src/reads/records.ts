import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { DB } from '../entities/tables.ts';
import { CLOSE_TYPES, closestCall, type ReturnsOfRound } from '../rules/close-calls.ts';
import { windowRounds } from './rounds.ts';

/** Fewer predictions make no upset. */
const UPSET_PREDICTIONS = 5;

export type ArenaRecords = Awaited<ReturnType<typeof arenaRecords>>;

/** Reads a month's rounds; the longest streak is stored with the boards. */
export async function arenaRecords(em: SqlEntityManager) {
  const tables = em.getKysely<DB>();
  const platform = await tables
    .selectFrom('platform')
    .select('streak_agent_id')
    .where('id', '=', sql.lit(1))
    .executeTakeFirst();
  const upset = await tables
    .selectFrom(monthOf(null).as('w'))
    .innerJoin('rounds as r', 'r.id', 'w.id')
    .where('r.total_entries', '>=', UPSET_PREDICTIONS)
    .where('r.difficulty_millionths', 'is not', null)
    .orderBy('r.difficulty_millionths', 'desc')
    .orderBy('r.id', 'desc')
    .limit(sql.lit(1))
    .select('r.id')
    .executeTakeFirst();
  return {
    streakAgentId: platform?.streak_agent_id ?? null,
    upsetRoundId: upset?.id ?? null,
    closest: closestCall(await monthsReturns(em)),
  };
}

function monthsReturns(em: SqlEntityManager): Promise<readonly ReturnsOfRound[]> {
  const change = sql<number>`(t.close / t.open - 1)::float8 * 100`;
  return (
    em
      .getKysely<DB>()
      .selectFrom(monthOf(CLOSE_TYPES).as('w'))
      .innerJoin('rounds as r', 'r.id', 'w.id')
      .innerJoin('round_assets as t', 't.round_id', 'w.id')
      // An outcome without evidence leaves the prices unknown.
      .where('t.close', 'is not', null)
      .groupBy('r.id')
      .orderBy('r.id', 'desc')
      .select('r.id as roundId')
      .select((of) => of.cast<number | null>('r.threshold_pct', 'float8').as('thresholdPct'))
      .select((of) => of.fn.agg<readonly number[]>('array_agg', [change]).orderBy('t.position').as('returnsPct'))
      .execute()
  );
}

function monthOf(questionType: typeof CLOSE_TYPES | null) {
  return windowRounds({ window: 'monthly', questionType, asset: null });
}
