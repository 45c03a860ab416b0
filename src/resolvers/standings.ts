import type { RankCertainty } from '../entities/ordered-board.ts';
import type { WindowStanding } from '../reads/agents.ts';
import type { WindowFigures } from '../reads/window-sums.ts';
import { BRIER_UNITS, edgeSums } from '../rules/board-value.ts';
import { wilson95 } from '../rules/calibration.ts';
import { CHANCE_UNITS } from '../rules/payoff-table.ts';
import { luckOfPnl, luckOfWins } from '../rules/statistics/luck.ts';
import { meanInterval, skillInterval, type Sums } from '../rules/statistics/means.ts';
import { UNITS } from '../rules/payoffs.ts';
import type { Context } from './context.ts';
import type { StandingResolvers } from './schema-types.ts';

/** How sure the figures of a window are, and what they owe to chance: from sums, whatever the record's length. */
export const certaintyFields = {
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
  luck: (window) => (window.competitions === 0 ? null : luckOf(window)),
  contribution: ({ extendedSums }) => extendedSums.contribution / UNITS.contribution,
  peerScore: ({ extendedSums }) => extendedSums.peer / UNITS.peer,
  rankInterval: async (window, _args, context) => rankIntervalOf(await rankCertaintyOf(window, context)),
  tiedWithAbove: async (window, _args, context) => (await rankCertaintyOf(window, context))?.tied ?? null,
} satisfies StandingResolvers;

async function rankCertaintyOf(
  { agentId, period, certainty }: WindowStanding,
  { loaders }: Context,
): Promise<RankCertainty | null> {
  return certainty === undefined ? loaders.rankCertainty({ period }).load(agentId) : certainty;
}

/** The ranks between which a place may lie; null where that is not known. */
export function rankIntervalOf(certainty: RankCertainty | null) {
  return certainty && { low: certainty.low, high: certainty.high };
}

function meanFigure(sums: Sums) {
  if (sums.n === 0) return null;
  const interval = meanInterval(sums);
  return { mean: sums.sum / sums.n, low: interval?.low ?? null, high: interval?.high ?? null, n: sums.n };
}

function luckOf({ wins, competitions, pnlUsd, extendedSums }: WindowFigures) {
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
