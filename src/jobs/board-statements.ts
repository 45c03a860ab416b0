import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { PAGE_SIZES } from '../limits.ts';
import { PERIODS } from '../rules/windows.ts';

/** Writes the first places of every window's board anew, in the order of `byStanding` of rules/ranking.ts. */
export async function rewriteBoards(transaction: SqlEntityManager): Promise<void> {
  await sql`delete from board_places`.execute(transaction.getKysely());
  for (const period of PERIODS) {
    const [points, wins, competitions] = ['points', 'wins', 'competitions'].map((sum) => sql.ref(`${period}_${sum}`));
    await sql`
      insert into board_places (period, position, agent_id, rank)
      select ${period}, row_number() over (order by points desc, wins desc, agent_id), agent_id, rank() over (order by points desc)
      from (
        select agent_id, ${points} as points, ${wins} as wins from standings where ${competitions} > 0
        order by ${points} desc, ${wins} desc, agent_id limit ${PAGE_SIZES.leaderboard.max}
      ) first`.execute(transaction.getKysely());
  }
}

/** Writes anew which rank every number of points has in each window, as `ranked` of rules/ranking.ts gives them. */
export async function rewriteRanks(transaction: SqlEntityManager): Promise<void> {
  await sql`delete from board_ranks`.execute(transaction.getKysely());
  for (const period of PERIODS) {
    const [points, competitions] = ['points', 'competitions'].map((sum) => sql.ref(`${period}_${sum}`));
    await sql`
      insert into board_ranks (period, points, rank)
      select ${period}, points, 1 + sum(agents) over (order by points desc) - agents
      from (select ${points} as points, count(*) as agents from standings where ${competitions} > 0 group by 1) counted`.execute(
      transaction.getKysely(),
    );
  }
}
