import { streakBonus } from '../rules/scoring.ts';
import type { Period } from '../rules/windows.ts';
import { addEdge, type EdgeSums, noEdges } from './edge-sums.ts';
import type { Payoff } from './payoffs.ts';

/** Sums over the resolved rounds of a window, in the whole units of payoffs.ts. */
export interface Sums {
  points: number;
  arenaPoints: number;
  wins: number;
  competitions: number;
  standing: number;
  pnlCents: number;
  brier: number;
  referenceBrier: number;
  readonly edges: EdgeSums;
  readonly arenaEdges: EdgeSums;
}

export interface Career {
  readonly windows: Readonly<Record<Period, Sums>>;
  /** Null while unread rounds may have added to it. */
  streak: number | null;
  bestStreak: number;
}

export interface Scored {
  readonly agentId: number;
  readonly correct: boolean;
  readonly payoff: Payoff;
  readonly arenaPoints: number;
  /** Millionths; null without a price and for standing predictions, which enter no sum. */
  readonly edge: number | null;
  readonly arenaEdge: number | null;
  readonly isStanding: boolean;
}

export function newCareers() {
  const byAgent = new Map<number, Career>();
  let firstStreak: number | null = 0;
  return {
    byAgent,
    /** For an unread resolved round: each agent's streak is unknown until its next miss. */
    skipRound(): void {
      firstStreak = null;
      for (const career of byAgent.values()) career.streak = null;
    },
    /** Returns the streak bonus; null if it depends on unread rounds. */
    add(scored: Scored, windows: readonly Period[]): number | null {
      const career = byAgent.get(scored.agentId) ?? newCareer(firstStreak);
      byAgent.set(scored.agentId, career);
      if (!scored.correct) career.streak = 0;
      else if (career.streak !== null) career.streak += 1;
      career.bestStreak = Math.max(career.bestStreak, career.streak ?? 0);
      const bonus = !scored.correct ? 0 : career.streak === null ? null : streakBonus(career.streak);
      for (const period of windows) addTo(career.windows[period], scored, bonus ?? 0);
      return bonus;
    },
  };
}

export function newCareer(streak: number | null): Career {
  const [daily, weekly, monthly, alltime] = [noSums(), noSums(), noSums(), noSums()];
  return { windows: { daily, weekly, monthly, alltime }, streak, bestStreak: 0 };
}

export function addTo(sums: Sums, scored: Scored, bonus: number): void {
  const { correct, payoff, arenaPoints, edge, arenaEdge, isStanding } = scored;
  sums.points += payoff.score + bonus;
  sums.arenaPoints += arenaPoints;
  sums.wins += correct ? 1 : 0;
  sums.competitions += 1;
  sums.standing += isStanding ? 1 : 0;
  sums.pnlCents += payoff.pnlCents;
  sums.brier += payoff.brier;
  sums.referenceBrier += payoff.referenceBrier;
  addEdge(sums.edges, edge);
  addEdge(sums.arenaEdges, arenaEdge);
}

export function noSums(): Sums {
  const counts = { points: 0, arenaPoints: 0, wins: 0, competitions: 0, standing: 0, pnlCents: 0 };
  return { ...counts, brier: 0, referenceBrier: 0, edges: noEdges(), arenaEdges: noEdges() };
}
