import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { BOARD_RESERVE, RANK_LEVELS } from '../../entities/boards.ts';
import { PAGE_SIZES } from '../../limits.ts';
import { windowColumn } from '../../rules/sums.ts';
import { type Period, PERIODS } from '../../rules/windows.ts';
import { withPlannerHint } from '../planner-hints.ts';
import { eachWindow } from './moves.ts';
import { rows } from '../../reads/sql.ts';

const POINTS_AND_WINS = ['points', 'wins'] as const;
/** The sums that decide who is on a board, and where. */
const PLACED_BY = [...POINTS_AND_WINS, 'competitions'] as const;

const LEVELS = sql.raw(RANK_LEVELS.join(', '));

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
  const floors: Floor[] = [];
  for (const period of PERIODS) {
    const [points, wins] = POINTS_AND_WINS.map((sum) => sql.ref(`s.${windowColumn(period, sum)}`));
    const found = await rows<Floor>(transaction)`
      select b.period, ${points} as points, ${wins} as wins, b.agent_id as "agentId",
        b.position >= (select sum(agents) from board_counts where period = ${period} and bits = 12) as "isWhole"
      from board_places b join standings s on s.agent_id = b.agent_id
      where b.period = ${period} order by b.position desc limit 1`;
    floors.push(...found);
  }
  return floors;
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
    const stored = await withPlannerHint(transaction, 'keyLookups', () => writePlaces(transaction, [period], from));
    if (stored < PAGE_SIZES.leaderboard.max && floor?.isWhole === false)
      await writePlaces(transaction, [period], sql`standings where true`);
  }
}

/**
 * Counts all standings anew and writes every window's places. The places come from those alone whose points are among the
 * first of a window, as the counts show, so that the standings are read once for all windows.
 */
export async function rewriteBoards(transaction: SqlEntityManager): Promise<void> {
  await recountRanks(transaction);
  const found = await rows<{ period: Period; points: number }>(transaction)`
    select period, min(bucket) as points from (
      select period, bucket, sum(agents) over (partition by period order by bucket desc) - agents as above
      from board_counts where bits = 0
    ) counted where above < ${BOARD_RESERVE} group by period`;
  const first = found.map(({ period, points }) => sql`${sql.ref(`${period}_points`)} >= ${points}::int`);
  const isFirst = first.length === 0 ? sql`false` : sql.join(first, sql` or `);
  await writePlaces(transaction, PERIODS, sql`standings where (${isFirst})`);
}

function notBelow({ period, points, wins, agentId }: Floor): RawBuilder<unknown> {
  const [itsPoints, itsWins] = POINTS_AND_WINS.map((sum) => sql.ref(windowColumn(period, sum)));
  return sql`(${itsPoints}, ${itsWins}, -agent_id) >= (${points}::int, ${wins}::int, ${-agentId}::int)`;
}

/** The places of these windows in the order of `byStanding` of rules/ranking.ts, of the standings `from`; returns how many. */
async function writePlaces(
  transaction: SqlEntityManager,
  periods: readonly Period[],
  from: RawBuilder<unknown>,
): Promise<number> {
  const figures = periods.flatMap((period) => PLACED_BY.map((sum) => windowColumn(period, sum)));
  const places = periods.map((period) => {
    const [points, wins, competitions] = PLACED_BY.map((sum) => sql.ref(windowColumn(period, sum)));
    return sql`(
      select ${period}::text as period, (row_number() over (order by points desc, wins desc, agent_id))::int as position,
        agent_id as "agentId", (rank() over (order by points desc))::int as rank
      from (
        select agent_id, ${points} as points, ${wins} as wins from candidates where ${competitions} > 0
        order by ${points} desc, ${wins} desc, agent_id limit ${BOARD_RESERVE}
      ) first)`;
  });
  const found = await rows<{ period: Period; position: number; agentId: number; rank: number }>(transaction)`
    with candidates as (select agent_id, ${sql.raw(figures.join(', '))} from ${from})
    ${sql.join(places, sql` union all `)}`;
  await rows(transaction)`delete from board_places where period = any(${[...periods]})`;
  await rows(transaction)`
    insert into board_places (period, position, agent_id, rank)
    select * from unnest(${found.map(({ period }) => period)}::text[], ${found.map(({ position }) => position)}::int[],
      ${found.map(({ agentId }) => agentId)}::int[], ${found.map(({ rank }) => rank)}::int[])`;
  return found.length;
}

/** The windows as rows: `period` with an agent's `points` there and `competitions`, of the standing `alias`. */
function windowsOf(alias: string): RawBuilder<unknown> {
  return sql.raw(
    `(values ${PERIODS.map((p) => `('${p}', ${alias}.${p}_points, ${alias}.${p}_competitions)`).join(', ')})`,
  );
}

/**
 * SQL that takes the agents of `after`, standings that are about to be written, from where they are counted and counts
 * them where they will be. What nobody is left at stays as a row of 0 until the next recount.
 */
export function moveCounts(after: string): RawBuilder<unknown> {
  return sql`
    insert into board_counts (period, bits, bucket, agents)
    select period, bits, bucket, coalesce(c.agents, 0) + m.agents
    from (
      select period, bits, points >> bits as bucket, sum(moved)::int as agents
      from (
        select w.period, w.points, -1 as moved from ${sql.raw(after)} a
          cross join lateral (select * from standings where agent_id = a.agent_id offset 0) t
          cross join lateral ${windowsOf('t')} w(period, points, competitions) where w.competitions > 0
        union all
        select w.period, w.points, 1 from ${sql.raw(after)} a
          cross join lateral ${windowsOf('a')} w(period, points, competitions) where w.competitions > 0
      ) one cross join unnest(array[${LEVELS}]) as bits
      group by 1, 2, 3 having sum(moved) <> 0
    ) m left join lateral (
      -- By key, however few counts the planner believes that there are.
      select agents from board_counts b where b.period = m.period and b.bits = m.bits and b.bucket = m.bucket offset 0
    ) c on true
    on conflict (period, bits, bucket) do update set agents = excluded.agents`;
}

/**
 * Counts all standings anew. They are read once, which takes 0.6 of the processor time of a look for each window: a
 * window is a set of groups of its own, in which the other windows' points are null, as are those of agents whom it does
 * not count.
 */
async function recountRanks(transaction: SqlEntityManager): Promise<void> {
  const counted = eachWindow((period) => `case when ${period}_competitions > 0 then ${period}_points end as ${period}`);
  await rows(transaction)`delete from board_counts`;
  const insert = () => rows(transaction)`
    insert into board_counts (period, bits, bucket, agents)
    select w.period, bits, w.points >> bits, sum(agents)
    from (
      select ${eachWindow((period) => period)}, count(*) as agents from (select ${counted} from standings) one
      group by grouping sets (${eachWindow((period) => `(${period})`)})
    ) exact
    cross join lateral (values ${eachWindow((period) => `('${period}', ${period})`)}) w(period, points)
    cross join unnest(array[${LEVELS}]) as bits
    where w.points is not null
    group by 1, 2, 3`;
  await withPlannerHint(transaction, 'hashJoins', insert);
}
