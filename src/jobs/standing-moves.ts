import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { planned } from './planning.ts';
import { moveCounts } from './rank-statements.ts';
import { STANDING_COLUMNS, standingsAfter, type TierChange } from './standing-statements.ts';
import type { WindowMoves } from './window-moves.ts';

/** Writes the standings that the moves touch in their places, and, where they are kept, the counts behind the ranks. */
export async function moveStandings(
  transaction: SqlEntityManager,
  moves: WindowMoves,
  { isCounted }: { readonly isCounted: boolean },
): Promise<{ readonly tierChanges: readonly TierChange[]; readonly touched: readonly number[] }> {
  const columns = sql.raw(STANDING_COLUMNS.join(', '));
  const updates = STANDING_COLUMNS.slice(1).map((column) => `${column} = excluded.${column}`);
  const { rows } = await planned(transaction, 'by key', () =>
    sql<TierChange>`
      with after as materialized (${standingsAfter(moves, 'touched')}),
      ${isCounted ? sql`moved as (${moveCounts('after')}),` : sql``}
      written as (
        insert into standings (${columns}) select ${columns} from after order by agent_id
        on conflict (agent_id) do update set ${sql.raw(updates.join(', '))}
      )
      select agent_id as "agentId", tier_before as "from", tier as "to" from after order by agent_id`.execute(
      transaction.getKysely(),
    ),
  );
  return {
    tierChanges: rows.filter(({ from, to }) => from !== to),
    touched: rows.map(({ agentId }) => agentId),
  };
}
