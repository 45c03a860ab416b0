import { PAGE_SIZES } from '../limits.ts';
import { archiveOf, archivesPage } from '../reads/archives.ts';
import { type Board, boardOf, orderedBoardOf } from '../reads/board.ts';
import { pageSize } from '../reads/paging.ts';
import { pointsValue } from '../rules/board-value.ts';
import { DEFAULT_MIN_ROUNDS, DEFAULT_ORDER, type KeptBoard } from '../rules/board-orders.ts';
import { estimate } from '../rules/breakdowns.ts';
import { brierFigures } from '../rules/calibration.ts';
import { refused } from '../rules/errors.ts';
import { winRatePct } from '../rules/ranking.ts';
import type { Context } from './context.ts';
import type {
  ArchivedRowResolvers,
  LeaderboardRowResolvers,
  QueryLeaderboardArgs,
  QueryResolvers,
} from './schema-types.ts';
import { rankIntervalOf } from './standings.ts';

export const leaderboardQueries = {
  leaderboard: (_root, args, context) => leaderboard(args, context),
  leaderboardArchive: (_root, { period }, { read }) => read((em) => archiveOf(em, period)),
  leaderboardArchives: (_root, asked, { read }) => read((em) => archivesPage(em, asked)),
} satisfies QueryResolvers;

/** Throws for arguments that are out of bounds. */
export function leaderboard(args: Partial<QueryLeaderboardArgs>, { read }: Pick<Context, 'read'>): Promise<Board> {
  const limit = pageSize('limit', args.limit, PAGE_SIZES.leaderboard);
  const board = boardAsked(args);
  return read((em) => (isLive(board) ? boardOf(em, board.period, limit) : orderedBoardOf(em, board, limit)));
}

/** A century of hours. */
const MOST_MIN_ROUNDS = 1_000_000;

/** The board that the arguments name, with what holds where they say nothing. Throws for a number of rounds out of bounds. */
export function boardAsked({ period, orderBy, minRounds }: Partial<QueryLeaderboardArgs>): KeptBoard {
  const order = orderBy ?? DEFAULT_ORDER;
  if (minRounds != null && (minRounds < 0 || minRounds > MOST_MIN_ROUNDS))
    throw refused('minRounds', `a whole number from 0 to ${MOST_MIN_ROUNDS}`, minRounds);
  return { period: period ?? 'weekly', orderBy: order, minRounds: minRounds ?? DEFAULT_MIN_ROUNDS[order] };
}

/** Whether resolution itself writes this board; the others are made after it. */
export function isLive({ orderBy, minRounds }: KeptBoard): boolean {
  return orderBy === DEFAULT_ORDER && minRounds === 0;
}

export const leaderboardRowFields = {
  agent: ({ agentId }, _args, context) => context.loaders.agent.load(agentId),
  totalPoints: ({ points }) => points,
  totalArenaPoints: ({ arenaPoints }) => arenaPoints,
  credentialTier: ({ tier }) => tier,
  simPnlTotal: ({ pnlUsd }) => Number(pnlUsd),
  winRate: ({ wins, competitions }) => winRatePct(wins, competitions),
  totalCompetitions: ({ competitions }) => competitions,
  totalWins: ({ wins }) => wins,
  value: ({ value, points }) => value ?? points,
  interval: ({ interval, points, competitions, pointsSquares = 0 }) =>
    interval === undefined ? pointsValue(points, competitions, pointsSquares).interval : interval,
  rankInterval: ({ certainty }) => rankIntervalOf(certainty),
  tiedWithAbove: ({ certainty }) => certainty?.tied ?? null,
  n: ({ counted, competitions }) => counted ?? competitions,
} satisfies LeaderboardRowResolvers;

export const archivedRowFields = {
  name: async ({ agentId }, _args, { loaders }) => (await loaders.agent.load(agentId)).name,
  agent: ({ agentId }, _args, { loaders }) => loaders.agent.load(agentId),
  totalPoints: ({ points }) => points,
  totalArenaPoints: ({ arenaPoints }) => arenaPoints,
  simPnlTotal: ({ pnlUsd }) => Number(pnlUsd),
  winRate: ({ wins, competitions }) => winRatePct(wins, competitions),
  totalCompetitions: ({ competitions }) => competitions,
  totalWins: ({ wins }) => wins,
  brier: ({ competitions, brierSum }) => Number(brierSum) / competitions,
  skill: ({ competitions, brierSum, referenceBrierSum }) =>
    brierFigures(competitions, Number(brierSum), Number(referenceBrierSum)).skill,
  edge: ({ edgeN, edgeSum, edgeSquares }) =>
    estimate({ n: edgeN, sum: Number(edgeSum), squareSum: Number(edgeSquares) }),
} satisfies ArchivedRowResolvers;
