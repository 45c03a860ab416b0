import { skillOf } from '../rules/calibration.ts';
import { winRatePct } from '../rules/win-rate.ts';
import type { Period } from '../rules/windows.ts';
import type { StandingResolvers } from './schema-types.ts';
import type { WindowFigures } from './standing-rows.ts';

/** An agent's figures in one window. */
export interface WindowStanding extends WindowFigures {
  readonly agentId: number;
  readonly period: Period;
}

export const standingFields = {
  rank: ({ agentId, period }, _args, context) => context.loaders.rank({ period }).load(agentId),
  totalPoints: ({ points }) => points,
  totalArenaPoints: ({ arenaPoints }) => arenaPoints,
  totalWins: ({ wins }) => wins,
  totalCompetitions: ({ competitions }) => competitions,
  winRate: ({ wins, competitions }) => winRatePct(wins, competitions),
  simPnlTotal: ({ pnlUsd }) => Number(pnlUsd),
  brier: ({ brierSum, competitions }) => mean(brierSum, competitions),
  referenceBrier: ({ referenceBrierSum, competitions }) => mean(referenceBrierSum, competitions),
  skill: ({ brierSum, referenceBrierSum, competitions }) =>
    skillOf(competitions, mean(brierSum, competitions), mean(referenceBrierSum, competitions)),
} satisfies StandingResolvers;

function mean(sum: string, n: number): number | null {
  return n === 0 ? null : Number(sum) / n;
}
