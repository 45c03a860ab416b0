import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { codeOf } from '../database/failures.ts';
import { readFloors, rewriteBoards, updateBoards } from './board-statements.ts';
import { recountRanks } from './rank-statements.ts';
import { mayRebuild, rebuildStandings } from './standing-rebuild.ts';
import { moveStandings } from './standing-moves.ts';
import type { TierChange } from './standing-statements.ts';
import type { WindowMoves } from './window-moves.ts';

/**
 * From so many scores on, and from a quarter of all standings, everybody's standing is written anew, without the log and
 * the dead row an agent that an update in their places would leave.
 */
export const REBUILD = { scores: 20_000, shareOfStandings: 1 / 4 } as const;

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Moves standings, ranks and boards as the round's scores, which are written, ask for; returns whose tier changed. A
 * round that few predicted touches what belongs to them, by key: it costs the same however many agents there are. A
 * round of many is cheaper by rewriting all. Both give the same; a test holds them together.
 */
export async function updateStandings(
  transaction: SqlEntityManager,
  moves: WindowMoves,
  rebuildFrom: number,
): Promise<readonly TierChange[]> {
  const { standings, isCounted } = await stateOfRanks(transaction);
  const isLarge = moves.scores >= rebuildFrom && moves.scores >= standings * REBUILD.shareOfStandings;
  const rebuilt = isLarge ? await rebuildIfFree(transaction, moves) : null;
  if (rebuilt !== null) return rewritten(transaction, rebuilt);
  const floors = await readFloors(transaction);
  const { tierChanges, touched } = await moveStandings(transaction, moves, { isCounted });
  if (!isCounted) return rewritten(transaction, tierChanges);
  await updateBoards(transaction, floors, touched);
  return tierChanges;
}

async function rewritten(
  transaction: SqlEntityManager,
  tierChanges: readonly TierChange[],
): Promise<readonly TierChange[]> {
  await recountRanks(transaction);
  await rewriteBoards(transaction);
  return tierChanges;
}

/** How many standings there are, and whether the counts behind the ranks belong to the boards as they are. */
async function stateOfRanks(transaction: SqlEntityManager) {
  const { rows } = await sql<{ standings: number; isCounted: boolean }>`
    select coalesce((select sum(agents) from board_counts where period = 'alltime' and bits = 12), 0)::int as standings,
      coalesce(ranks_counted_at = boards_updated_at, false) as "isCounted"
    from platform where id = 1`.execute(transaction.getKysely());
  return rows[0] ?? { standings: 0, isCounted: false };
}

/** Null where it may not be done: the table is another role's, or somebody reads it for long, such as a backup. */
async function rebuildIfFree(transaction: SqlEntityManager, moves: WindowMoves): Promise<readonly TierChange[] | null> {
  if (!(await mayRebuild(transaction))) return null;
  try {
    return await transaction.transactional((inner) => rebuildStandings(inner, moves));
  } catch (error) {
    if (error instanceof Error && codeOf(error) === LOCK_NOT_AVAILABLE) return null;
    throw error;
  }
}
