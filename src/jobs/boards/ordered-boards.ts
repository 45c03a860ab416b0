import { setImmediate } from 'node:timers/promises';

import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { insertRows } from '../../entities/given-rows.ts';
import type { OrderedPlace } from '../../entities/ordered-board.ts';
import type { DB } from '../../entities/tables.ts';
import { DEFAULT_MIN_ROUNDS, INTERVAL_PLACES, INTERVAL_ROUNDS } from '../../rules/board-orders.ts';
import { boardValue, roundsFor } from '../../rules/board-value.ts';
import type { SkilledCounts } from '../../rules/statistics/means.ts';
import {
  type Draws,
  drawsOf,
  type RankInterval,
  rankIntervalSteps,
  REPLICATES,
  type RoundFigures,
} from '../../rules/statistics/rank-intervals.ts';
import { inWindow, type Period, PERIODS } from '../../rules/windows.ts';
import { keepEarlierRanks, keepRecentPoints } from './board-trends.ts';
import {
  type BoardState,
  type DrawnRound,
  isStill,
  keptBoards,
  newestRounds,
  type OrderedAgents,
  orderedAgents,
  roundFigures,
  STANDINGS,
  stateToOrder,
  sumsOf,
} from './ordered-board-statements.ts';
import { skilledAgents } from './skilled-agents.ts';

/** A state of the platform with its newest rounds, the newest first. */
interface RoundsOfState {
  readonly state: BoardState;
  readonly rounds: readonly DrawnRound[];
}

/** The data that the boards of one state are made of. */
type BoardInputs = NonNullable<Awaited<ReturnType<typeof readBasis>>>;

type PlacedBoard = Awaited<ReturnType<typeof makeBoard>>;

/**
 * Makes the boards of every window and order with their rank intervals if a round was resolved since, and replaces the stored
 * ones in one transaction. A round resolved in the meantime causes another call.
 */
export async function orderBoards(newEm: () => SqlEntityManager, isStopped: () => boolean): Promise<void> {
  const basis = await readBasis(newEm());
  if (basis === null) return;
  const made: PlacedBoard[] = [];
  for (const board of basis.boards) {
    if (isStopped()) return;
    const one = await makeBoard(newEm(), basis, board);
    const alike = basis.windows.find(([period]) => period === board.period) ?? [];
    made.push(...alike.map((period) => ({ ...one, period })));
  }
  await newEm().transactional((transaction) => replaceBoards(transaction, basis, made));
}

/** Null where the boards are up to date, or a round was resolved meanwhile. */
async function readBasis(em: SqlEntityManager) {
  const state = await stateToOrder(em);
  if (state === undefined) return null;
  const rounds = await newestRounds(em);
  // Those with the same rounds have the same boards.
  const windows = [...Map.groupBy(PERIODS, (period) => roundsOf({ rounds, state }, period).length).values()];
  const distinct = windows.flatMap(([period]) => period ?? []);
  const boards = await orderedAgents(em, keptBoards(distinct), STANDINGS);
  const skilled = await skilledAgents(em);
  const sums = await sumsOf(em, boards, STANDINGS.sums);
  if (!(await isStill(em, state))) return null;
  // By the number of rounds of a window: all orders share them.
  const draws = new Map<number, Draws>();
  return { state, windows, boards, sums, rounds, skilled, draws };
}

async function makeBoard(em: SqlEntityManager, basis: BoardInputs, board: OrderedAgents) {
  const rounds = roundsOf(basis, board.period);
  const hasIntervals = rounds.length <= INTERVAL_ROUNDS && board.minRounds === DEFAULT_MIN_ROUNDS[board.orderBy];
  const agents = hasIntervals ? board.agents.slice(0, INTERVAL_PLACES) : [];
  const figures = agents.length === 0 ? [] : await roundFigures(em, { orderBy: board.orderBy, agents }, rounds);
  return {
    ...board,
    places: placesOf(basis.sums, board, figures),
    rankIntervals: figures.length === 0 ? {} : await rankIntervalsOf(figures, agents, drawsFor(basis, rounds.length)),
  };
}

function roundsOf({ rounds, state }: RoundsOfState, period: Period): readonly DrawnRound[] {
  return rounds.filter(({ end }) => inWindow(period, state.newestEnd, end));
}

/** The places of a board with what they show, from the sums of its agents; `figures` are those of the first of them by rounds. */
export function placesOf(
  sums: BoardInputs['sums'],
  { agents, ranks, period, orderBy }: OrderedAgents,
  figures: readonly RoundFigures[],
): readonly OrderedPlace[] {
  return agents.flatMap((agentId, index) => {
    const window = sums.get(agentId)?.[period];
    if (window === undefined) return [];
    const { brierSum: _, referenceBrierSum: _reference, ...shown } = window;
    const counted = roundsFor(orderBy, window);
    return [
      {
        rank: ranks[index] ?? 0,
        agentId,
        ...shown,
        counted,
        ...boardValue(orderBy, window, figures[index]?.figures ?? null),
      },
    ];
  });
}

function drawsFor({ draws, rounds: all }: BoardInputs, rounds: number): Draws {
  const kept = draws.get(rounds) ?? drawsOf({ seed: all[0]?.id ?? 0, rounds, replicates: REPLICATES });
  draws.set(rounds, kept);
  return kept;
}

async function rankIntervalsOf(
  figures: readonly RoundFigures[],
  agents: readonly number[],
  draws: Draws,
): Promise<Readonly<Record<string, RankInterval>>> {
  const steps = rankIntervalSteps(figures, draws);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return Object.fromEntries(step.value.map((interval, place) => [agents[place], interval]));
    // Pending events of this process come first.
    await setImmediate();
  }
}

/** Does nothing where boards of this state or a newer one are stored, or where a round was amended since: the next call makes them. */
async function replaceBoards(
  transaction: SqlEntityManager,
  { state, rounds, skilled }: BoardInputs,
  boards: readonly PlacedBoard[],
): Promise<void> {
  const { resolvedRounds, updatedAt, streakAgentId } = state;
  const tables = transaction.getKysely<DB>();
  const { numUpdatedRows } = await tables
    .updateTable('platform')
    .set({ ordered_rounds: resolvedRounds, streak_agent_id: streakAgentId })
    .set((of) => ({ skilled: of.cast<SkilledCounts>(of.val(JSON.stringify(skilled)), 'jsonb') }))
    .where('id', '=', 1)
    .where((of) => of(of.fn.coalesce('ordered_rounds', of.lit(0)), '<', resolvedRounds))
    .where((of) => of.or([of('boards_updated_at', '=', updatedAt), of('resolved_rounds', '>', resolvedRounds)]))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await keepEarlierRanks(transaction, rounds[0]);
  await keepRecentPoints(transaction, boards, rounds);
  await tables.deleteFrom('ordered_boards').execute();
  const shared = { round_id: rounds[0]?.id ?? 0, resolved_rounds: resolvedRounds, updated_at: updatedAt };
  await insertRows(
    transaction,
    'ordered_boards',
    boards.map(({ period, orderBy, minRounds, total, places, rankIntervals }) => {
      return { ...shared, period, order_by: orderBy, min_rounds: minRounds, total, places, sure_places: rankIntervals };
    }),
  );
}
