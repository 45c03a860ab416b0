import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { expressionBuilder, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';

import { RANK_LEVELS } from '../../entities/boards.ts';
import type { DB, Row } from '../../entities/tables.ts';
import { PAGE_SIZES } from '../../limits.ts';
import { ids } from '../../reads/fragments.ts';
import { agentsOn } from '../../reads/plan/standing.ts';
import { rows } from '../../reads/sql.ts';
import { BOARD_RESERVE } from '../../rules/board-orders.ts';
import { type Period, PERIODS } from '../../rules/windows.ts';
import { withPlannerHint } from '../../database/planner-hints.ts';
import { insertRows } from '../../entities/given-rows.ts';

const PLACE = ['period', 'position', 'agent_id', 'rank'] as const satisfies readonly (keyof Row<'board_places'>)[];
const COUNT = ['period', 'bits', 'bucket', 'agents'] as const satisfies readonly (keyof Row<'board_counts'>)[];

const LEVELS = sql.raw(RANK_LEVELS.join(', '));

type BoardFloor = Awaited<ReturnType<typeof readFloors>>[number];

/**
 * The last stored place of each window's board, to be read before standings move; a window without agents has none. All
 * agents who rank above are stored. `isWhole`: nobody ranks below.
 */
export async function readFloors(transaction: SqlEntityManager) {
  const tables = transaction.getKysely<DB>();
  const floors = [];
  for (const period of PERIODS) {
    const places = tables.selectFrom('board_places as b').innerJoin('standings as s', 's.agent_id', 'b.agent_id');
    const [last] = await places
      .select(['b.period', 'b.agent_id as agentId', `s.${period}_points as points`, `s.${period}_wins as wins`])
      .select((is) => is('b.position', '>=', agentsOn(period)).$castTo<boolean>().as('isWhole'))
      .where('b.period', '=', period)
      .orderBy('b.position', 'desc')
      .limit(1)
      .execute();
    if (last !== undefined) floors.push(last);
  }
  return floors;
}

const eb = expressionBuilder<DB, 'standings' | 'board_counts'>();

/** The sums that decide who is on a window's board, and the order there. */
function columnsOf(period: Period) {
  return [`${period}_points`, `${period}_wins`, `${period}_competitions`] as const;
}

/**
 * Rewrites the places after the standings of `touched` moved: agents above the floor are stored already, or touched. A
 * window with fewer places left than the longest list that is shown is read as a whole. The reserve is twice that list, so
 * hundreds more agents must fall than rise before that happens.
 */
export async function updateBoards(
  transaction: SqlEntityManager,
  floors: readonly BoardFloor[],
  touched: readonly number[],
): Promise<void> {
  for (const period of PERIODS) {
    const floor = floors.find((one) => one.period === period);
    const stored = eb.selectFrom('board_places').select('agent_id').where('period', '=', period);
    const candidates = stored.union(eb.selectFrom(ids(touched)).select('a.id as agent_id'));
    const all = eb.selectFrom('standings');
    const some = all.where('agent_id', 'in', candidates);
    const above = floor === undefined || floor.isWhole ? some : some.where(isNotBelow(floor));
    const written = await withPlannerHint(transaction, 'keyLookups', () => writePlaces(transaction, [period], above));
    if (written < PAGE_SIZES.leaderboard.max && floor?.isWhole === false) await writePlaces(transaction, [period], all);
  }
}

/**
 * Counts all standings of `table` again and rewrites every window's places. The counts show which points are among the first
 * of a window, so the standings are read once for all windows, and only those with such points are ranked.
 */
export async function rewriteBoards(transaction: SqlEntityManager, table: string): Promise<void> {
  const standings = sql.table<DB['standings']>(table).as('standings');
  await recountRanks(transaction, table);
  const upTo = eb.fn.sum<number>('agents').over((over) => over.partitionBy('period').orderBy('bucket', 'desc'));
  const above = eb(upTo, '-', eb.ref('agents')).as('above');
  const counted = eb.selectFrom('board_counts').where('bits', '=', 0).select(['period', 'bucket', above]).as('counted');
  const tables = transaction.getKysely<DB>().selectFrom(counted).where('above', '<', BOARD_RESERVE).groupBy('period');
  const found = await tables.select(({ fn }) => ['period', fn.min('bucket').as('points')]).execute();
  const isFirst = eb.or(found.map(({ period, points }) => eb(`${period}_points`, '>=', points)));
  await writePlaces(transaction, PERIODS, eb.selectFrom(standings).where(isFirst));
}

function isNotBelow({ period, points, wins, agentId }: BoardFloor) {
  const own = eb.refTuple(`${period}_points`, `${period}_wins`, eb.neg(eb.ref('agent_id')));
  return eb(own, '>=', eb.tuple(points, wins, -agentId));
}

/** Writes the places of these windows, in the order of `byStanding` of rules/ranking.ts, among `standings`; returns how many. */
async function writePlaces(
  transaction: SqlEntityManager,
  periods: readonly Period[],
  standings: SelectQueryBuilder<DB, 'standings', object>,
): Promise<number> {
  const tables = transaction.getKysely<DB>();
  const places = sql<Row<'board_places'>>`(${sql.join(periods.map(placesAmong), sql` union all `)})`;
  const candidates = standings.select('agent_id').select(periods.flatMap(columnsOf));
  const ranked = tables.with('candidates', () => candidates).selectFrom(places.as('places'));
  const found = await ranked.select(PLACE).execute();
  await tables.deleteFrom('board_places').where('period', 'in', periods).execute();
  await insertRows(transaction, 'board_places', found);
  return found.length;
}

/** A query for the places of a window among its `candidates`. */
function placesAmong(period: Period): RawBuilder<unknown> {
  const [points, wins, competitions] = columnsOf(period).map((name) => sql.ref(name));
  return sql`(
    select ${sql.lit(period)} as period, (row_number() over (order by points desc, wins desc, agent_id))::int as position,
      agent_id, (rank() over (order by points desc))::int as rank
    from (
      select agent_id, ${points} as points, ${wins} as wins from candidates where ${competitions} > 0
      order by ${points} desc, ${wins} desc, agent_id limit ${BOARD_RESERVE}
    ) first)`;
}

function eachWindow(text: (period: Period) => string): RawBuilder<unknown> {
  return sql.raw(PERIODS.map(text).join(', '));
}

/** Every window as a row of its name, and an agent's points and competitions there in the standing `alias`. */
function windowsOf(alias: string): RawBuilder<unknown> {
  const windows = eachWindow((period) => {
    const [points, , competitions] = columnsOf(period);
    return `('${period}', ${alias}.${points}, ${alias}.${competitions})`;
  });
  return sql`(values ${windows})`;
}

/**
 * A statement that moves the agents of `after`, standings that are about to be written, from the counts of their points to
 * those of the new ones. A count of nobody stays as a row of 0 until the next recount.
 */
export function moveCounts(after: string): RawBuilder<unknown> {
  return sql`
    insert into board_counts (${sql.raw(COUNT.join(', '))})
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
      -- Read by key, however few counts the planner expects.
      select agents from board_counts b where b.period = m.period and b.bits = m.bits and b.bucket = m.bucket offset 0
    ) c on true
    on conflict (period, bits, bucket) do update set agents = excluded.agents`;
}

/**
 * Counts all standings again. They are read once for all windows. Each window is a set of groups, with null for the other
 * windows' points. The points of agents who are not on its board are null too.
 */
async function recountRanks(transaction: SqlEntityManager, table: string): Promise<void> {
  const points = eachWindow((period) => {
    const [own, , competitions] = columnsOf(period);
    return `case when ${competitions} > 0 then ${own} end as ${period}`;
  });
  await transaction.getKysely<DB>().deleteFrom('board_counts').execute();
  const insert = () => rows(transaction)`
    insert into board_counts (${sql.raw(COUNT.join(', '))})
    select w.period, bits, w.points >> bits, sum(agents)
    from (
      select ${eachWindow((period) => period)}, count(*) as agents from (select ${points} from ${sql.table(table)}) one
      group by grouping sets (${eachWindow((period) => `(${period})`)})
    ) exact
    cross join lateral (values ${eachWindow((period) => `('${period}', ${period})`)}) w(period, points)
    cross join unnest(array[${LEVELS}]) as bits
    where w.points is not null
    group by 1, 2, 3`;
  await withPlannerHint(transaction, 'hashJoins', insert);
}
