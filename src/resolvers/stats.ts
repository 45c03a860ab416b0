import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { fraction, roundHalfAway } from '../rules/fraction.ts';
import { ARENA_POINTS_POOL } from '../rules/round-states.ts';
import type { Tier } from '../rules/tiers.ts';
import { fieldCalibration, roundsAsked } from './calibration.ts';
import { roundRunningAt } from './current-round.ts';
import { boardOf } from './leaderboard.ts';
import { platformRow } from './platform-row.ts';
import { holdsName } from './reservation.ts';
import type { QueryResolvers, Stats, StatsResolvers } from './schema-types.ts';

/** The figures that need no arguments. */
export type StatsFigures = Omit<Stats, '__typename' | 'calibration'>;

export const statsQueries = {
  async stats(_root, _args, context) {
    const { em, clock } = context;
    const now = clock.now();
    const active = await roundRunningAt(context, now);
    const platform = await platformRow(em);
    const counts = await countNow(em, now);
    const holders = await holdersOf(em, counts.agents);
    const [top] = (await boardOf(em, 'alltime', 1)).rankings;
    const predictions = platform.decidedPredictions + counts.openPredictions;
    const confidences = platform.decidedConfidenceSum + counts.openConfidences;
    return {
      totalAgents: counts.agents,
      totalCompetitions: platform.resolvedRounds,
      totalPredictions: predictions,
      activeRound: active !== null,
      activeRoundId: active?.id ?? null,
      activeEntries: active?.totalEntries ?? 0,
      arenaPointsPerRound: ARENA_POINTS_POOL,
      topAgent: top?.name ?? null,
      topAgentCredential: top?.tier ?? null,
      avgConfidence: predictions === 0 ? null : Number(roundHalfAway(fraction(confidences, predictions), 2)),
      credentialHolders: holders,
    };
  },
} satisfies QueryResolvers;

export const statsFields = {
  calibration: (_stats, args, { em }) => fieldCalibration(em, roundsAsked(args)),
} satisfies StatsResolvers;

/** Agents that hold their name at `now`, and what rounds that are not decided yet have taken so far. */
async function countNow(em: SqlEntityManager, now: Date) {
  const { rows } = await sql<{ agents: number; openPredictions: number; openConfidences: number }>`
    select
      (select count(*) from agents a where ${holdsName(now)})::int as agents,
      coalesce(sum(total_entries), 0)::int as "openPredictions",
      coalesce(sum(confidence_sum), 0)::int as "openConfidences"
    from rounds where status in ('upcoming', 'active', 'resolving')`.execute(em.getKysely());
  const [counts] = rows;
  if (counts === undefined) throw new Error('An aggregate without grouping gave no row');
  return counts;
}

/** Who has no standing yet is in bronze, like everybody at first. */
async function holdersOf(em: SqlEntityManager, agents: number): Promise<Record<Tier, number>> {
  const { rows } = await sql<{ tier: Tier; holders: number }>`
    select tier, count(*)::int as holders from standings where tier <> 'bronze' group by tier`.execute(em.getKysely());
  const holders: Record<Tier, number> = { bronze: agents, silver: 0, gold: 0, diamond: 0 };
  for (const row of rows) {
    holders[row.tier] = row.holders;
    holders.bronze -= row.holders;
  }
  return holders;
}
