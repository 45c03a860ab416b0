import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { codeOf, LOCK_NOT_AVAILABLE, STILL_NEEDED } from '../../database/failures.ts';
import { rows } from '../../reads/sql.ts';
import { withPlannerHint } from '../planner-hints.ts';
import { moveCounts, readFloors, rewriteBoards, updateBoards } from './board-places.ts';
import type { Move } from './moves.ts';
import { rebuildStandings } from './standing-rebuild.ts';
import {
  STANDING_COLUMNS,
  standingsAfter,
  type Streaks,
  STREAKS_RESOLVED,
  type TierChange,
} from './standing-statements.ts';

/**
 * From so many scores on, and from a quarter of all standings, everybody's standing is written anew, without the log and
 * the dead row an agent that an update in their places would leave.
 */
export const REBUILD = { scores: 20_000, shareOfStandings: 1 / 4 } as const;

/**
 * Moves standings, ranks and boards by a resolution, whose scores are written; returns whose tier changed. A round of few
 * predictions costs the same however many agents there are; of many, all standings are written anew. Both give the same.
 */
export async function resolveStandings(
  transaction: SqlEntityManager,
  { moves, scores }: { readonly moves: readonly Move[]; readonly scores: number },
  rebuildFrom: number,
): Promise<readonly TierChange[]> {
  const { standings, mayRebuild } = await stateOfStandings(transaction);
  const isLarge = scores >= rebuildFrom && scores >= standings * REBUILD.shareOfStandings;
  const tierChanges = isLarge && mayRebuild ? await rebuildIfFree(transaction, moves) : null;
  if (tierChanges === null) return moveStandings(transaction, moves, STREAKS_RESOLVED);
  await rewriteBoards(transaction);
  return tierChanges;
}

/** Moves standings in their places, with the counts behind the ranks and the boards; returns whose tier changed. */
export async function moveStandings(
  transaction: SqlEntityManager,
  moves: readonly Move[],
  streaks: Streaks,
): Promise<readonly TierChange[]> {
  const floors = await readFloors(transaction);
  const columns = sql.raw(STANDING_COLUMNS.join(', '));
  const updates = STANDING_COLUMNS.slice(1).map((column) => `${column} = excluded.${column}`);
  const moved = await withPlannerHint(
    transaction,
    'keyLookups',
    () =>
      rows<TierChange>(transaction)`
      with after as materialized (${standingsAfter(moves, 'touched', streaks)}),
      moved as (${moveCounts('after')}),
      written as (
        insert into standings (${columns}) select ${columns} from after order by agent_id
        on conflict (agent_id) do update set ${sql.raw(updates.join(', '))}
      )
      select agent_id as "agentId", tier_before as "from", tier as "to" from after order by agent_id`,
  );
  const touched = moved.map(({ agentId }) => agentId);
  await updateBoards(transaction, floors, touched);
  return moved.filter(({ from, to }) => from !== to);
}

interface StandingsState {
  readonly standings: number;
  /** Whether this role may put another table in its place: the owner alone, so that it stays its table (docs/security.md). */
  readonly mayRebuild: boolean;
}

async function stateOfStandings(transaction: SqlEntityManager): Promise<StandingsState> {
  const [found] = await rows<StandingsState>(transaction)`
    select coalesce((select sum(agents) from board_counts where period = 'alltime' and bits = 12), 0)::int as standings,
      relowner = current_user::regrole and has_schema_privilege(relnamespace, 'create') as "mayRebuild"
    from pg_class where oid = 'standings'::regclass`;
  return found ?? { standings: 0, mayRebuild: false };
}

/** Null where somebody reads the table for long, such as a backup, or a view or key of others needs it. */
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
