import { asNumber } from './decimals.ts';
import { HOURS_A_DAY } from './hours.ts';
import type { Body } from './json.ts';
import { NEWCOMER, type Ledger, type Scored } from './ledger.ts';
import { winRateOf } from './scores.ts';

/** How many hours of rounds each window holds. */
export const WINDOW_HOURS = {
  daily: HOURS_A_DAY,
  weekly: 7 * HOURS_A_DAY,
  monthly: 30 * HOURS_A_DAY,
  alltime: Number.POSITIVE_INFINITY,
} as const;

export type Period = keyof typeof WINDOW_HOURS;

export const PERIODS: readonly Period[] = ['daily', 'weekly', 'monthly', 'alltime'];

export interface Totals {
  readonly points: number;
  readonly arenaPoints: number;
  readonly pnlCents: bigint;
  readonly competitions: number;
  readonly wins: number;
}

/** What the scores add up to. */
export function totalsOf(scores: readonly Scored[]): Totals {
  const total = (figure: (scored: Scored) => number): number => scores.reduce((sum, one) => sum + figure(one), 0);
  return {
    points: total(({ score, streakBonus }) => score + streakBonus),
    arenaPoints: total(({ arenaPoints }) => arenaPoints),
    pnlCents: scores.reduce((sum, { pnlCents }) => sum + pnlCents, 0n),
    competitions: scores.length,
    wins: total(({ correct }) => Number(correct)),
  };
}

/** Per agent that has a scored prediction in the window when `count` rounds are resolved. */
function scoresOf(ledger: Ledger, count: number, period: Period): Map<number, Scored[]> {
  const done = ledger.resolved.slice(0, count);
  const newest = Math.max(...done.map(({ facts }) => facts.hour));
  const inside = done.filter(({ facts }) => newest - facts.hour < WINDOW_HOURS[period]);
  return Map.groupBy(
    inside.flatMap(({ scored }) => scored),
    ({ agent }) => agent,
  );
}

export function totalsOfAgent(ledger: Ledger, agent: number, period: Period): Totals {
  return totalsOf(scoresOf(ledger, ledger.resolved.length, period).get(agent) ?? []);
}

/** The rows of a board when `count` rounds are resolved. */
export function rankingsOf(ledger: Ledger, names: ReadonlyMap<number, string>, count: number, period: Period): Body[] {
  const careers = ledger.resolved[count - 1]?.careers;
  const rows = [...scoresOf(ledger, count, period)]
    .map(([id, scores]) => ({ id, ...totalsOf(scores) }))
    .toSorted((one, other) => other.points - one.points || other.wins - one.wins || one.id - other.id);
  return rows.map(({ id, ...totals }) => {
    const career = careers?.get(id) ?? NEWCOMER;
    return {
      rank: 1 + rows.filter((other) => other.points > totals.points).length,
      name: names.get(id) ?? `an unknown agent ${id}`,
      total_points: totals.points,
      total_arena_points: totals.arenaPoints,
      credential_tier: career.tier,
      sim_pnl_total: asNumber(totals.pnlCents, 2),
      win_rate: asNumber(winRateOf(totals.wins, totals.competitions), 2),
      current_streak: career.streak,
      best_streak: career.bestStreak,
      total_competitions: totals.competitions,
      total_wins: totals.wins,
    };
  });
}
