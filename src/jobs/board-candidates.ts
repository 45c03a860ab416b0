import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { BoardCandidates } from '../entities/ordered-board.ts';
import { SURE_ROUNDS } from '../rules/board-orders.ts';
import { inWindow, type Period, PERIODS, windowStart } from '../rules/windows.ts';
import { type BoardState, type DrawnRound, orderedAgents, type OrderedAgents } from './ordered-board-statements.ts';

/** From so many scores on that moved, all standings are read instead. */
const MOST_MOVED = 20_000;

/** How many places of a board are kept, and how many more are known for those who fall. */
export interface BoardSizes {
  readonly kept: number;
  readonly known: number;
}

/** Rounds whose scores have entered or left some window between two states. */
export interface MovedRounds {
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
  const [oldest] = rounds.slice(SURE_ROUNDS);
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
