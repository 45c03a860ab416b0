import { brierFigures } from '../../rules/calibration.ts';
import { fraction } from '../../rules/fraction.ts';
import { UNITS } from '../../rules/payoffs.ts';
import { ranked, winRatePct } from '../../rules/ranking.ts';
import { type Tier, tierOf } from '../../rules/tiers.ts';
import type { Period } from '../../rules/windows.ts';
import { type AgentRecord, CENTS, MILLIONTHS, type Sums } from './agent-records.ts';

/** The compared rows of a board: the most that the service returns. */
export const BOARD_ROWS = 100;

export interface RankedAgent {
  readonly id: number;
  readonly rank: number;
  readonly record: AgentRecord;
}

export function boardOf(records: ReadonlyMap<number, AgentRecord>, period: Period): readonly RankedAgent[] {
  const there = [...records].filter(([, { windows }]) => windows[period].competitions > 0);
  return ranked(there.map(([id, record]) => ({ ...record.windows[period], id, record })));
}

export function sumsShown(sums: Sums) {
  return {
    totalPoints: sums.points,
    totalArenaPoints: sums.arenaPoints,
    totalCompetitions: sums.competitions,
    totalWins: sums.wins,
    winRate: winRatePct(sums.wins, sums.competitions),
    simPnlTotal: sums.pnlCents / CENTS,
  };
}

export function brierShown({ brier, referenceBrier, competitions }: Sums) {
  return brierFigures(competitions, brier / MILLIONTHS, referenceBrier / MILLIONTHS);
}

export function tierShown({ windows }: AgentRecord): Tier {
  const { points, competitions, standing, edges } = windows.alltime;
  return tierOf({
    points,
    competitions,
    standing,
    edges: edges.n,
    edgeSum: fraction(edges.sum, UNITS.edge),
    edgeSquareSum: fraction(edges.squares, UNITS.edge ** 2),
  });
}
