import type { RankCertainty } from '../entities/ordered-board.ts';
import type { WindowFigures } from '../reads/plan/standing.ts';
import { arenaEdgeSums, BRIER_UNITS, type ChanceSums, edgeSums } from '../rules/board-value.ts';
import { brierFigures, wilson95 } from '../rules/calibration.ts';
import { CHANCE_UNITS } from '../rules/payoff-table.ts';
import { winRatePct } from '../rules/ranking.ts';
import { luckOfPnl, luckOfWins } from '../rules/statistics/luck.ts';
import { meanInterval, skillInterval, type Sums as MeanSums } from '../rules/statistics/means.ts';
import { UNITS } from '../rules/payoffs.ts';
import type { StandingResolvers } from './schema-types.ts';

/** What an agent's sums over some rounds show, wherever they stand. */
export const windowFields = {
  totalPoints: ({ points }: Sums) => points,
  totalArenaPoints: ({ arenaPoints }: Sums) => arenaPoints,
  totalWins: ({ wins }: Sums) => wins,
  totalCompetitions: ({ competitions }: Sums) => competitions,
  winRate: ({ wins, competitions }: Sums) => winRatePct(wins, competitions),
  simPnlTotal: ({ pnlUsd }: Sums) => Number(pnlUsd),
};

type Sums = Pick<WindowFigures, 'points' | 'arenaPoints' | 'wins' | 'competitions' | 'pnlUsd'>;

/** How sure a place on a board is; null where that is not known. */
export const certaintyFields = {
  rankInterval: ({ certainty }: Placed) => certainty && { low: certainty.low, high: certainty.high },
  tiedWithAbove: ({ certainty }: Placed) => certainty && certainty.tied,
};

interface Placed {
  readonly certainty: RankCertainty | null;
}

export const standingFields = {
  ...windowFields,
  brier: (standing) => figuresOf(standing).brier,
  referenceBrier: (standing) => figuresOf(standing).referenceBrier,
  skill: (standing) => figuresOf(standing).skill,
  skillInterval: ({ competitions: n, brierSum, referenceBrierSum, extendedSums }) =>
    skillInterval(
      {
        n,
        sum: Number(referenceBrierSum) - Number(brierSum),
        squareSum: extendedSums.skillSquares / BRIER_UNITS ** 2,
      },
      Number(referenceBrierSum),
    ),
  pointsPerRound: ({ competitions: n, points, extendedSums }) =>
    meanFigure({ n, sum: points, squareSum: extendedSums.pointsSquares }),
  hitRateInterval: ({ wins, competitions }) => wilson95(wins, competitions),
  edge: (window) => meanFigure(edgeSums(window)),
  arenaEdge: (window) => meanFigure(arenaEdgeSums(window)),
  luck: (window) => (window.competitions === 0 ? null : luckOf(window)),
  contribution: ({ extendedSums }) => extendedSums.contribution / UNITS.contribution,
  peerScore: ({ extendedSums }) => extendedSums.peer / UNITS.peer,
  ...certaintyFields,
} satisfies StandingResolvers;

function figuresOf({ competitions, brierSum, referenceBrierSum }: WindowFigures) {
  return brierFigures(competitions, Number(brierSum), Number(referenceBrierSum));
}

function meanFigure(sums: MeanSums) {
  if (sums.n === 0) return null;
  const interval = meanInterval(sums);
  return { mean: sums.sum / sums.n, low: interval?.low ?? null, high: interval?.high ?? null, n: sums.n };
}

/** How much of some sums chance explains. */
export function luckOf({
  wins,
  competitions,
  pnlUsd,
  extendedSums,
}: Pick<WindowFigures, 'wins' | 'competitions' | 'pnlUsd'> & { readonly extendedSums: ChanceSums }) {
  const { choices4, choices8, chancePnl, chanceVariance } = extendedSums;
  return {
    wins: luckOfWins(wins, [
      { choiceCount: 2, n: competitions - choices4 - choices8 },
      { choiceCount: 4, n: choices4 },
      { choiceCount: 8, n: choices8 },
    ]),
    pnl: luckOfPnl(Number(pnlUsd), {
      mean: chancePnl / CHANCE_UNITS.pnl,
      variance: chanceVariance / CHANCE_UNITS.variance,
    }),
  };
}
