import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { BOARD_RESERVE } from '../entities/boards.ts';
import { PAGE_SIZES } from '../limits.ts';
import { type Period, PERIODS } from '../rules/windows.ts';
import { planned } from './planning.ts';

/**
 * Where the stored places of a window's board end: everybody on the whole board who stands above is among them. `isWhole`:
 * they are all that there are.
 */
interface Floor {
  readonly period: Period;
  readonly points: number;
  readonly wins: number;
  readonly agentId: number;
  readonly isWhole: boolean;
}

/** The floors of the boards, to be read before standings move; a window with nobody has none. */
export async function readFloors(transaction: SqlEntityManager): Promise<readonly Floor[]> {
  const found: Floor[] = [];
  for (const period of PERIODS) {
    const [points, wins] = ['points', 'wins'].map((sum) => sql.ref(`s.${period}_${sum}`));
    const { rows } = await sql<Floor>`
      select b.period, ${points} as points, ${wins} as wins, b.agent_id as "agentId",
        b.position >= (select sum(agents) from board_counts where period = ${period} and bits = 12) as "isWhole"
      from board_places b join standings s on s.agent_id = b.agent_id
      where b.period = ${period} order by b.position desc limit 1`.execute(transaction.getKysely());
    found.push(...rows);
  }
  return found;
}

/**
 * Writes the places anew after the standings of `touched` moved: whoever stands above the floor is stored already or
 * touched. Where too few are left for the longest list that is shown, the window is read as a whole; with a reserve of
 * twice that list, it takes hundreds of agents who fall more than rise.
 */
export async function updateBoards(
  transaction: SqlEntityManager,
  floors: readonly Floor[],
  touched: readonly number[],
): Promise<void> {
  for (const period of PERIODS) {
    const floor = floors.find((one) => one.period === period);
    const above = floor === undefined || floor.isWhole ? sql`true` : notBelow(floor);
    const candidates = sql`
      select agent_id from board_places where period = ${period} union select unnest(${[...touched]}::int[])`;
    const from = sql`standings where agent_id in (${candidates}) and ${above}`;
    const stored = await planned(transaction, 'by key', () => writePlaces(transaction, period, from));
    if (stored < PAGE_SIZES.leaderboard.max && floor?.isWhole === false)
      await writePlaces(transaction, period, sql`standings where true`);
  }
}

/** Writes every window's places anew from all standings. */
export async function rewriteBoards(transaction: SqlEntityManager): Promise<void> {
  for (const period of PERIODS) await writePlaces(transaction, period, sql`standings where true`);
}

function notBelow({ period, points, wins, agentId }: Floor): RawBuilder<unknown> {
  const [itsPoints, itsWins] = ['points', 'wins'].map((sum) => sql.ref(`${period}_${sum}`));
  return sql`(${itsPoints}, ${itsWins}, -agent_id) >= (${points}::int, ${wins}::int, ${-agentId}::int)`;
}

/** The places in the order of `byStanding` of rules/ranking.ts; returns how many. */
async function writePlaces(transaction: SqlEntityManager, period: Period, from: RawBuilder<unknown>): Promise<number> {
  const database = transaction.getKysely();
  const [points, wins, competitions] = ['points', 'wins', 'competitions'].map((sum) => sql.ref(`${period}_${sum}`));
  const { rows } = await sql<{ agentId: number; rank: number }>`
    select agent_id as "agentId", (rank() over (order by points desc))::int as rank
    from (
      select agent_id, ${points} as points, ${wins} as wins from ${from} and ${competitions} > 0
      order by ${points} desc, ${wins} desc, agent_id limit ${BOARD_RESERVE}
    ) first
    order by points desc, wins desc, agent_id`.execute(database);
  await sql`delete from board_places where period = ${period}`.execute(database);
  await sql`
    insert into board_places (period, position, agent_id, rank)
    select ${period}, n, agent_id, rank
    from unnest(${rows.map(({ agentId }) => agentId)}::int[], ${rows.map(({ rank }) => rank)}::int[])
      with ordinality as p(agent_id, rank, n)`.execute(database);
  return rows.length;
}
