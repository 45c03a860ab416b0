import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { BoardCandidates } from '../../entities/ordered-board.ts';
import { INTERVAL_ROUNDS } from '../../rules/board-orders.ts';
import { inWindow, type Period, PERIODS, windowStart } from '../../rules/windows.ts';
import { type BoardState, type DrawnRound, orderedAgents, type OrderedAgents } from './ordered-board-statements.ts';
import {
  chanceOfMean,
  INTERVAL_MIN_ROUNDS,
  mayBeNamed,
  type Skilled,
  skilledAmong,
} from '../../rules/statistics/means.ts';
import { withPlannerHint } from '../planner-hints.ts';

/** From so many scores on that moved, all standings are read instead. */
const MOST_MOVED = 20_000;

/** How many places of a board are kept, and how many more are known for those who fall. */
export interface BoardSizes {
  readonly kept: number;
  readonly known: number;
}

/** Rounds whose scores have entered or left some window between two states. */
interface MovedRounds {
  readonly entered: readonly DrawnRound[];
  readonly all: readonly DrawnRound[];
}

/** What was kept of the last state whose boards were made; null where nothing was. */
export function keptCandidates(em: SqlEntityManager): Promise<BoardCandidates | null> {
  return em.findOne(BoardCandidates, { id: 1 });
}

/**
 * The rounds that have moved between a state and the present one, found among the newest ones; null where they are not
 * all among these, or have more scores than are worth looking at one by one.
 */
export function movedSince(
  before: Pick<BoardCandidates, 'resolvedRounds' | 'updatedAt' | 'newestEnd'>,
  { state, rounds }: { readonly state: BoardState; readonly rounds: readonly DrawnRound[] },
): MovedRounds | null {
  const entered = rounds.filter(({ decidedAt }) => decidedAt > before.updatedAt);
  if (entered.length !== state.resolvedRounds - before.resolvedRounds) return null;
  const farthest = windowStart('monthly', before.newestEnd);
  const [oldest] = rounds.slice(INTERVAL_ROUNDS);
  if (oldest !== undefined && farthest !== null && oldest.end > farthest) return null;
  const left = rounds.filter(({ end }) =>
    PERIODS.some((period) => inWindow(period, before.newestEnd, end) && !inWindow(period, state.newestEnd, end)),
  );
  const all = [...new Set([...entered, ...left])];
  return all.reduce((sum, { entries }) => sum + entries, 0) < MOST_MOVED ? { entered, all } : null;
}

/** Whose standings have moved with these rounds. */
async function agentsOf(em: SqlEntityManager, { all }: MovedRounds): Promise<readonly number[]> {
  const { rows } = await sql<{ agentId: number }>`
    select distinct agent_id as "agentId" from scores where round_id = any(${all.map(({ id }) => id)}::int[])`.execute(
    em.getKysely(),
  );
  return rows.map(({ agentId }) => agentId);
}

/** From those who were the first before and those who have moved; where that does not reach far enough, from everybody. */
export async function movedBoards(
  em: SqlEntityManager,
  windows: readonly Period[],
  {
    before,
    moved,
    sizes,
  }: { readonly before: BoardCandidates; readonly moved: MovedRounds; readonly sizes: BoardSizes },
): Promise<readonly OrderedAgents[]> {
  const { kept, known } = sizes;
  const agents = new Set([...before.boards.flatMap((board) => board.agents), ...(await agentsOf(em, moved))]);
  const among = { boards: before.boards, agents: [...agents] };
  const boards = await orderedAgents(em, { periods: windows, known, among });
  const isShort = ({ agents: found, floor }: OrderedAgents): boolean => floor !== null && found.length < kept;
  const short = windows.filter((window) => boards.some((board) => board.period === window && isShort(board)));
  if (short.length === 0) return boards;
  const whole = await orderedAgents(em, { periods: short, known, among: null });
  return [...boards.filter(({ period }) => !short.includes(period)), ...whole];
}

/**
 * Keeps them in place of those before. Not where standings lack what a version before did not add up: of those who do not
 * move it would be added up later.
 */
export async function keepCandidates(
  transaction: SqlEntityManager,
  { areSumsKept, resolvedRounds, updatedAt, newestEnd }: BoardState,
  { boards, tested, likely }: Pick<BoardCandidates, 'boards' | 'tested' | 'likely'>,
): Promise<void> {
  const database = transaction.getKysely();
  if (!areSumsKept) {
    await sql`delete from board_candidates`.execute(database);
    return;
  }
  await sql`
    insert into board_candidates (id, resolved_rounds, updated_at, newest_end, boards, tested, likely)
    values (1, ${resolvedRounds}, ${updatedAt}, ${newestEnd}, ${JSON.stringify(boards)}, ${tested}, ${JSON.stringify(likely)})
    on conflict (id) do update set resolved_rounds = excluded.resolved_rounds, updated_at = excluded.updated_at,
      newest_end = excluded.newest_end, boards = excluded.boards, tested = excluded.tested, likely = excluded.likely`.execute(
    database,
  );
}

/** So many standings are read at once. */
const PAGE = 20_000;

interface EdgeSums {
  readonly agentId: number;
  readonly n: number;
  readonly sum: number;
  readonly squareSum: number;
}

/** How many agents have enough rounds to be tested for skill, and those who may be named, with their chances. */
export type TestedAgents = Pick<BoardCandidates, 'tested' | 'likely'>;

/** How many look skilled by their edge over all time, and how many would by chance. */
export function skilledOf({ tested, likely }: TestedAgents): Skilled {
  return skilledAmong(
    likely.map(([, chance]) => chance),
    tested,
  );
}

/** All agents, tested. */
export async function testAgents(em: SqlEntityManager): Promise<TestedAgents> {
  const likely: (readonly [number, number])[] = [];
  let tested = 0;
  for (let after = 0; ;) {
    const { rows } = await sql<EdgeSums>`
      select ${EDGE_SUMS} from standings s where agent_id > ${after} and ${IS_TESTED}
      order by agent_id limit ${PAGE}`.execute(em.getKysely());
    tested += rows.length;
    likely.push(...rows.flatMap(likelyOf));
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return { tested, likely };
    after = last.agentId;
  }
}

/** The same after rounds were resolved, which all others have not moved in. */
export async function testAgain(
  em: SqlEntityManager,
  before: TestedAgents,
  entered: readonly DrawnRound[],
): Promise<TestedAgents> {
  const ids = entered.map(({ id }) => id);
  const { rows } = await em.transactional((transaction) =>
    withPlannerHint(transaction, 'keyLookups', () =>
      sql<EdgeSums & { readonly entered: number }>`
        select ${EDGE_SUMS}, x.entered
        from (select agent_id, count(*)::int as entered from scores where round_id = any(${ids}::int[]) group by agent_id) x
        join standings s on s.agent_id = x.agent_id where ${IS_TESTED}`.execute(transaction.getKysely()),
    ),
  );
  const moved = new Set(rows.map(({ agentId }) => agentId));
  return {
    tested: before.tested + rows.filter(({ n, entered: more }) => n - more < INTERVAL_MIN_ROUNDS).length,
    likely: [...before.likely.filter(([agentId]) => !moved.has(agentId)), ...rows.flatMap(likelyOf)],
  };
}

const EDGE_SUMS = sql`s.agent_id as "agentId", s.alltime_competitions as n, s.alltime_edge_sum::float8 as sum,
  s.alltime_edge_square_sum::float8 as "squareSum"`;

/** Whose chance is not null. */
const IS_TESTED = sql`s.alltime_competitions >= ${INTERVAL_MIN_ROUNDS}`;

function likelyOf(sums: EdgeSums): readonly (readonly [agentId: number, chance: number])[] {
  const chance = chanceOfMean(sums);
  return chance !== null && mayBeNamed(chance) ? [[sums.agentId, chance]] : [];
}
