import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { codeOf, LOCK_NOT_AVAILABLE, STILL_NEEDED } from '../../database/failures.ts';
import { agentsOn } from '../../reads/plan/standing.ts';
import { rows } from '../../reads/sql.ts';
import { withPlannerHint } from '../../database/planner-hints.ts';
import { moveCounts, readFloors, updateBoards } from './board-places.ts';
import type { Move } from './moves.ts';
import { rebuildStandings } from './standing-rebuild.ts';
import {
  type AgentScope,
  STANDING_COLUMNS,
  standingsAfter,
  type Streaks,
  STREAKS_RESOLVED,
  type TierChange,
} from './standing-statements.ts';

/**
 * From this number of scores, and from a quarter of all standings, the whole table is rewritten: updates in place would
 * leave log and a dead row for each agent.
 */
export const REBUILD = { scores: 20_000, shareOfStandings: 1 / 4 } as const;

/**
 * Moves standings, ranks and boards by a resolution, whose scores are written; returns the changes of tiers. The cost of a
 * round of few predictions does not grow with the number of agents; one of many rewrites all standings, with the same result.
 */
export async function resolveStandings(
  transaction: SqlEntityManager,
  { moves, scores }: { readonly moves: readonly Move[]; readonly scores: number },
  rebuildFrom: number,
): Promise<readonly TierChange[]> {
  const { standings, mayRebuild } = await stateOfStandings(transaction);
  const isLarge = scores >= rebuildFrom && scores >= standings * REBUILD.shareOfStandings;
  const tierChanges = isLarge && mayRebuild ? await rebuildIfFree(transaction, moves) : null;
  return tierChanges ?? moveStandings(transaction, moves, STREAKS_RESOLVED);
}

/**
 * Updates standings in place, the counts behind the ranks, and the boards; returns the changes of tiers. Touched agents are
 * looked up one by one.
 */
export async function moveStandings(
  transaction: SqlEntityManager,
  moves: readonly Move[],
  streaks: Streaks,
  whose: AgentScope = 'touched',
): Promise<readonly TierChange[]> {
  const floors = await readFloors(transaction);
  const columns = sql.raw(STANDING_COLUMNS.join(', '));
  const updates = STANDING_COLUMNS.slice(1).map((column) => `${column} = excluded.${column}`);
  const write = () => rows<TierChange>(transaction)`
    with after as materialized (${standingsAfter(moves, whose, streaks)}),
    moved as (${moveCounts('after')}),
    written as (
      insert into standings (${columns}) select ${columns} from after order by agent_id
      on conflict (agent_id) do update set ${sql.raw(updates.join(', '))}
    )
    select agent_id as "agentId", tier_before as "from", tier as "to" from after order by agent_id`;
  const moved = await withPlannerHint(transaction, whose === 'touched' ? 'keyLookups' : 'hashJoins', write);
  const touched = moved.map(({ agentId }) => agentId);
  await updateBoards(transaction, floors, touched);
  return moved.filter(({ from, to }) => from !== to);
}

/** The size of the table, and whether this role may replace it: only its owner, so that the owner stays (docs/security.md). */
async function stateOfStandings(transaction: SqlEntityManager) {
  const [found] = await rows<{ standings: number; mayRebuild: boolean }>(transaction)`
    select coalesce(${agentsOn('alltime')}, 0)::int as standings,
      relowner = current_user::regrole and has_schema_privilege(relnamespace, 'create') as "mayRebuild"
    from pg_class where oid = 'standings'::regclass`;
  return found ?? { standings: 0, mayRebuild: false };
}

/** Null where a long read, such as a backup, locks the table, or a view or foreign key depends on it. */
async function rebuildIfFree(
  transaction: SqlEntityManager,
  moves: readonly Move[],
): Promise<readonly TierChange[] | null> {
  try {
    return await transaction.transactional((inner) => rebuildStandings(inner, moves));
  } catch (error) {
    if (codeOf(error) === LOCK_NOT_AVAILABLE || codeOf(error) === STILL_NEEDED) return null;
    throw error;
  }
}
