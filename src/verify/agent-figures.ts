import { skillOf } from '../rules/calibration.ts';
import { fraction, roundHalfAway, toDecimal } from '../rules/fraction.ts';
import { ranked, winRatePct } from '../rules/ranking.ts';
import { type Tier, tierOf } from '../rules/tiers.ts';
import { type Period, PERIODS } from '../rules/windows.ts';
import type { Career, Sums } from './careers.ts';
import { CENTS, MILLIONTHS } from './payoffs.ts';

export interface Ranked {
  readonly id: number;
  readonly rank: number;
  readonly career: Career;
}

export function boardsOf(careers: ReadonlyMap<number, Career>): Readonly<Record<Period, readonly Ranked[]>> {
  const [daily, weekly, monthly, alltime] = PERIODS.map((period) => {
    const there = [...careers].filter(([, { windows }]) => windows[period].competitions > 0);
    return ranked(there.map(([id, career]) => ({ ...career.windows[period], id, career })));
  });
  return { daily: daily ?? [], weekly: weekly ?? [], monthly: monthly ?? [], alltime: alltime ?? [] };
}

export function sumsShown(sums: Sums) {
  return {
    totalPoints: sums.points,
    totalArenaPoints: sums.arenaPoints,
    totalCompetitions: sums.competitions,
    totalWins: sums.wins,
    winRate: winRatePct(sums.wins, sums.competitions),
    simPnlTotal: usdOf(sums),
  };
}

export function brierShown({ brier, referenceBrier, competitions: n }: Sums) {
  const [mean, reference] = [meanOf(brier, n), meanOf(referenceBrier, n)];
  return { brier: mean, referenceBrier: reference, skill: skillOf(n, mean, reference) };
}

export function usdOf({ pnlCents }: Sums): number {
  return Number(roundHalfAway(fraction(pnlCents, CENTS), 2));
}

export function tierShown({ windows }: Career): Tier {
  const { points, competitions, standing, edges } = windows.alltime;
  return tierOf({
    points,
    competitions,
    standing,
    edges: edges.n,
    edgeSum: fraction(edges.sum, MILLIONTHS),
    edgeSquareSum: fraction(edges.squares, MILLIONTHS ** 2),
  });
}

/** Divides the exact sum as a double, like any reader of the sum. */
function meanOf(millionths: number, n: number): number | null {
  return n === 0 ? null : Number(toDecimal(fraction(millionths, MILLIONTHS))) / n;
}
