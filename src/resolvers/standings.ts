import type { WindowFigures } from '../reads/plan/standing.ts';
import { arenaEdgeSums, type ChanceSums, edgeSums, skillSums } from '../rules/board-value.ts';
import { estimate } from '../rules/breakdowns.ts';
import { brierFigures, wilson95 } from '../rules/calibration.ts';
import { CHANCE_UNITS } from '../rules/payoff-table.ts';
import { winRatePct } from '../rules/ranking.ts';
import { luckOfPnl, luckOfWins } from '../rules/statistics/luck.ts';
import { skillInterval } from '../rules/statistics/means.ts';
import type { RankInterval } from '../rules/statistics/rank-intervals.ts';
import { UNITS } from '../rules/payoffs.ts';
import type { Resolvers } from './schema-types.ts';

export const windowFields = {
  totalPoints: ({ points }: Sums) => points,
  totalArenaPoints: ({ arenaPoints }: Sums) => arenaPoints,
  totalWins: ({ wins }: Sums) => wins,
  totalCompetitions: ({ competitions }: Sums) => competitions,
  winRate: ({ wins, competitions }: Sums) => winRatePct(wins, competitions),
  simPnlTotal: ({ pnlUsd }: Sums) => Number(pnlUsd),
};

type Sums = Pick<WindowFigures, 'points' | 'arenaPoints' | 'wins' | 'competitions' | 'pnlUsd'>;

export const rankIntervalFields = {
  tiedWithAbove: ({ rankInterval }: { readonly rankInterval: RankInterval | null }) => rankInterval?.tied ?? null,
};

export const standingResolvers = {
  Standing: {
    ...windowFields,
    brier: (standing) => figuresOf(standing).brier,
    referenceBrier: (standing) => figuresOf(standing).referenceBrier,
    skill: (standing) => figuresOf(standing).skill,
    skillInterval: (window) => skillInterval(skillSums(window), Number(window.referenceBrierSum)),
    pointsPerRound: ({ competitions: n, points, extendedSums }) =>
      estimate({ n, sum: points, squareSum: extendedSums.pointsSquares }),
    hitRateInterval: ({ wins, competitions }) => wilson95(wins, competitions),
    edge: (window) => estimate(edgeSums(window)),
    arenaEdge: (window) => estimate(arenaEdgeSums(window)),
    luck: (window) => (window.competitions === window.extendedSums.standing ? null : luckOf(window)),
    contribution: ({ extendedSums }) => extendedSums.contribution / UNITS.contribution,
    peerScore: ({ extendedSums }) => extendedSums.peer / UNITS.peer,
    ...rankIntervalFields,
  },
} satisfies Resolvers;

function figuresOf({ competitions, brierSum, referenceBrierSum }: WindowFigures) {
  return brierFigures(competitions, Number(brierSum), Number(referenceBrierSum));
}

export function luckOf({
  wins,
  competitions,
  pnlUsd,
  extendedSums,
}: Pick<WindowFigures, 'wins' | 'competitions' | 'pnlUsd'> & { readonly extendedSums: ChanceSums }) {
  const { choices4, choices8, chancePnl, chanceVariance, standing = 0, standingWins = 0 } = extendedSums;
  return {
    wins: luckOfWins(wins - standingWins, [
      { choiceCount: 2, n: competitions - standing - choices4 - choices8 },
      { choiceCount: 4, n: choices4 },
      { choiceCount: 8, n: choices8 },
    ]),
    pnl: luckOfPnl(Number(pnlUsd), {
      mean: chancePnl / CHANCE_UNITS.pnl,
      variance: chanceVariance / CHANCE_UNITS.variance,
    }),
  };
}
