import { asNumber } from './decimals.ts';
import { HOURS_A_DAY } from './hours.ts';
import { NEWCOMER, type Ledger, type ResolvedRound, type Scored } from './oracle-ledger.ts';
import { winRateOf } from './oracle-scores.ts';
import type { Body } from './json.ts';
import type { Period } from './recording.ts';

const HOURS: Record<Period, number> = {
  daily: HOURS_A_DAY,
  weekly: 7 * HOURS_A_DAY,
  monthly: 30 * HOURS_A_DAY,
  alltime: Number.POSITIVE_INFINITY,
};

export interface Totals {
  readonly points: number;
  readonly arenaPoints: number;
  readonly pnlCents: bigint;
  readonly competitions: number;
  readonly wins: number;
}

const NOTHING: Totals = { points: 0, arenaPoints: 0, pnlCents: 0n, competitions: 0, wins: 0 };

/** The window's rounds when `count` rounds are resolved: those that end less than its length before the newest ends. */
export function windowOf(ledger: Ledger, count: number, period: Period): readonly ResolvedRound[] {
  const done = ledger.resolved.slice(0, count);
  const newest = Math.max(...done.map((round) => round.facts.hour));
  return done.filter((round) => newest - round.facts.hour < HOURS[period]);
}

/** Per agent that has a scored prediction in the window. */
function totalsOf(ledger: Ledger, count: number, period: Period): Map<number, Totals> {
  const totals = new Map<number, Totals>();
  for (const scored of windowOf(ledger, count, period).flatMap((round) => round.scored)) {
    totals.set(scored.agent, added(totals.get(scored.agent) ?? NOTHING, scored));
  }
  return totals;
}

export function totalsOfAgent(ledger: Ledger, agent: number, period: Period): Totals {
  return totalsOf(ledger, ledger.resolved.length, period).get(agent) ?? NOTHING;
}

/** The rows of a board when `count` rounds are resolved. */
export function rankingsOf(ledger: Ledger, names: ReadonlyMap<number, string>, count: number, period: Period): Body[] {
  const careers = ledger.resolved[count - 1]?.careers;
  const rows = [...totalsOf(ledger, count, period)].toSorted(
    ([oneId, one], [otherId, other]) => other.points - one.points || other.wins - one.wins || oneId - otherId,
  );
  return rows.map(([id, totals]) => {
    const career = careers?.get(id) ?? NEWCOMER;
    return {
      rank: 1 + rows.filter(([, other]) => other.points > totals.points).length,
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

function added(totals: Totals, scored: Scored): Totals {
  return {
    points: totals.points + scored.score + scored.streakBonus,
    arenaPoints: totals.arenaPoints + scored.arenaPoints,
    pnlCents: totals.pnlCents + scored.pnlCents,
    competitions: totals.competitions + 1,
    wins: totals.wins + Number(scored.correct),
  };
}
