import { streakBonus } from '../rules/scoring.ts';
import type { Period } from '../rules/windows.ts';
import { addEdge, type EdgeSums, noEdges } from './edge-sums.ts';
import type { Payoff } from './payoffs.ts';

/** An agent's sums over the resolved rounds of a window, in whole units: see payoffs.ts. */
export interface Sums {
  points: number;
  arenaPoints: number;
  wins: number;
  competitions: number;
  /** Those of them in which a standing row answered. */
  standing: number;
  pnlCents: number;
  brier: number;
  referenceBrier: number;
  readonly edges: EdgeSums;
  /** Over the arena. */
  readonly arenaEdges: EdgeSums;
}

/** What an agent's predictions came to, in the order of resolution. */
export interface Career {
  readonly windows: Readonly<Record<Period, Sums>>;
  /** Wins in a row; null while rounds that were not read may have added to it. */
  streak: number | null;
  bestStreak: number;
}

/** A prediction of a resolved round, worked out again. */
export interface Scored {
  readonly agentId: number;
  readonly correct: boolean;
  readonly payoff: Payoff;
  readonly arenaPoints: number;
  /** Millionths; null where no price was known, and of what was standing: it enters no sum. */
  readonly edge: number | null;
  readonly arenaEdge: number | null;
  /** The service made it of a standing one. */
  readonly isStanding: boolean;
}

/** The careers of all agents, built up round by round. */
export interface Careers {
  readonly byAgent: ReadonlyMap<number, Career>;
  /** A resolved round that was not read comes next: from here on an agent's streak is known only after its next miss. */
  skipRound(): void;
  /** Adds a prediction to the windows that its round lies in; its streak bonus, null when that cannot be known. */
  add(scored: Scored, windows: readonly Period[]): number | null;
}

export function newCareers(): Careers {
  const byAgent = new Map<number, Career>();
  let firstStreak: number | null = 0;
  return {
    byAgent,
    skipRound() {
      firstStreak = null;
      for (const career of byAgent.values()) career.streak = null;
    },
    add(scored, windows) {
      const career = byAgent.get(scored.agentId) ?? newCareer(firstStreak);
      byAgent.set(scored.agentId, career);
      if (!scored.correct) career.streak = 0;
      else if (career.streak !== null) career.streak += 1;
      career.bestStreak = Math.max(career.bestStreak, career.streak ?? 0);
      const bonus = bonusOf(career, scored.correct);
      for (const period of windows) addTo(career.windows[period], scored, bonus ?? 0);
      return bonus;
    },
  };
}

function bonusOf({ streak }: Career, correct: boolean): number | null {
  if (!correct) return 0;
  return streak === null ? null : streakBonus(streak);
}

/** One with nothing in it; `streak` is what is known of it before its first prediction. */
export function newCareer(streak: number | null): Career {
  const [daily, weekly, monthly, alltime] = [noSums(), noSums(), noSums(), noSums()];
  return { windows: { daily, weekly, monthly, alltime }, streak, bestStreak: 0 };
}

/** Adds a prediction with its streak bonus. */
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

/** Nothing yet. */
export function noSums(): Sums {
  const counts = { points: 0, arenaPoints: 0, wins: 0, competitions: 0, standing: 0, pnlCents: 0 };
  return { ...counts, brier: 0, referenceBrier: 0, edges: noEdges(), arenaEdges: noEdges() };
}
