import type { GraphQLResolveInfo } from 'graphql';

import { PAGE_SIZES } from '../limits.ts';
import { archiveOf, archivesPageOf } from '../reads/archives.ts';
import { pageSize } from '../reads/paging.ts';
import { ARCHIVE } from '../reads/plan/archive.ts';
import { type Board, boardOf } from '../reads/plan/board.ts';
import { pageOf } from '../reads/plan/page.ts';
import { type PlanSelection, fieldsNamed, one, row } from '../reads/plan/plan.ts';
import { cachedPlan, NESTED } from '../reads/plan/rows.ts';
import type { BoardRequest } from '../reads/plan/sorted-board.ts';
import { DEFAULT_ORDER } from '../rules/board-orders.ts';
import { edgeSums, pointsValue } from '../rules/board-value.ts';
import { estimate } from '../rules/breakdowns.ts';
import { brierFigures } from '../rules/calibration.ts';
import { wholeNumberWithin } from '../rules/errors.ts';
import { periodSummary } from '../rules/period-summary.ts';
import { requestedKind, usualMinRounds } from '../rules/kinds.ts';
import type { Context } from './context.ts';
import { agentWith, existingRow, plannedField } from './planned.ts';
import type { QueryLeaderboardArgs, Resolvers } from './schema-types.ts';
import { luckOf, rankIntervalFields, windowFields } from './standings.ts';

export const leaderboardResolvers = {
  Query: {
    leaderboard: (_root, _args, context, info) => leaderboard(context, info),
    async leaderboardArchive(_root, { period }, context, info) {
      const { field, read } = plannedField(context, info);
      return read(one(row(ARCHIVE, field.selected, NESTED), archiveOf(period)));
    },
    async leaderboardArchives(_root, args, context, info) {
      const { field, read } = plannedField(context, info);
      return read(pageOf(archivesPageOf(args), field.selected, (selected) => row(ARCHIVE, selected, NESTED)));
    },
  },
  LeaderboardRow: {
    ...windowFields,
    ...rankIntervalFields,
    credentialTier: ({ tier }) => tier,
    value: ({ value, points }) => value ?? points,
    interval: ({ interval, points, competitions, extendedSums }) =>
      interval === undefined ? pointsValue(points, competitions, extendedSums?.pointsSquares ?? 0).interval : interval,
    n: ({ counted, competitions }) => counted ?? competitions,
    edge: ({ competitions, extendedSums }) =>
      extendedSums ? estimate(edgeSums({ competitions, extendedSums })) : null,
    luck: ({ extendedSums, ...shown }) => (extendedSums ? luckOf({ ...shown, extendedSums }) : null),
    rankChange: ({ rank, earlierRank }) => (earlierRank === null ? null : earlierRank - rank),
  },
  ArchivedLeaderboard: {
    async summary({ leaders, ...board }, _args, context) {
      const shown = leaders.map(async ({ agentId, rank, points, edgeN, edgeSum }) => ({
        name: await nameOf(agentId, context),
        rank,
        points,
        edge: edgeN === 0 ? null : Number(edgeSum) / edgeN,
      }));
      return periodSummary({ ...board, leaders: await Promise.all(shown) });
    },
  },
  ArchivedRow: {
    ...windowFields,
    name: ({ agentId }, _args, context) => nameOf(agentId, context),
    agent: ({ agentId }, _args, context, info) => agentWith(agentId, context, info),
    brier: ({ competitions, brierSum }) => Number(brierSum) / competitions,
    skill: ({ competitions, brierSum, referenceBrierSum }) =>
      brierFigures(competitions, Number(brierSum), Number(referenceBrierSum)).skill,
    edge: ({ edgeN, edgeSum, edgeSquares }) =>
      estimate({ n: edgeN, sum: Number(edgeSum), squareSum: Number(edgeSquares) }),
  },
} satisfies Resolvers;

const BOARD = cachedPlan(({ args, selected }: PlanSelection) => {
  const { limit, after }: Partial<QueryLeaderboardArgs> = args;
  const size = pageSize('limit', limit, PAGE_SIZES.leaderboard);
  return boardOf(
    { ...boardRequest(args), limit: size, after: wholeNumberWithin('after', after ?? 0, PLACES) },
    selected,
    NESTED,
  );
});

export async function leaderboard(context: Context, info: GraphQLResolveInfo): Promise<Board> {
  const { field, read } = plannedField(context, info);
  const { kind, period } = boardRequest(field.args);
  if (kind !== null) await context.services.kindBoards({ kind, period });
  return existingRow(await read(BOARD(field)));
}

/** A century of hours. */
const MAX_MIN_ROUNDS = 1_000_000;
const PLACES = { min: 0, max: 10_000_000 } as const;

function boardRequest(args: Partial<QueryLeaderboardArgs>): BoardRequest {
  const { orderBy, minRounds } = args;
  const kind = requestedKind(args.questionType, args.asset);
  const period = args.period ?? 'weekly';
  const order = orderBy ?? DEFAULT_ORDER;
  if (minRounds != null) wholeNumberWithin('minRounds', minRounds, { min: 0, max: MAX_MIN_ROUNDS });
  return { kind, period, orderBy: order, minRounds: minRounds ?? usualMinRounds(order, kind, period) };
}

const NAME = fieldsNamed('name');

async function nameOf(agentId: number, { loaders }: Pick<Context, 'loaders'>): Promise<string> {
  return existingRow(await loaders.agent(NAME).load(agentId)).name;
}
