import { inUnits, type Payoff } from '../../rules/payoffs.ts';
import { streakBonus } from '../../rules/scoring.ts';
import type { Period } from '../../rules/windows.ts';
import { addEdge, noEdges } from './edge-sums.ts';

export const CENTS = 100;
export const MILLIONTHS = 1_000_000;

/** Sums over the resolved rounds of a window: cents and millionths, since whole numbers have exact sums. */
export type Sums = ReturnType<typeof noSums>;

export type AgentRecord = ReturnType<typeof newAgentRecord>;

export interface ScoredPrediction {
  readonly agentId: number;
  readonly correct: boolean;
  readonly payoff: Payoff;
  readonly arenaPoints: number;
  /** Millionths; null without a price and for standing predictions, which enter no sum. */
  readonly edge: number | null;
  readonly arenaEdge: number | null;
  readonly isStanding: boolean;
}

export interface AddedPrediction extends ScoredPrediction {
  /** The streak bonus; null if it depends on unread rounds. */
  readonly bonus: number | null;
}

export function newAgentRecords() {
  const byAgent = new Map<number, AgentRecord>();
  let firstStreak: number | null = 0;
  return {
    byAgent,
    /** For an unread resolved round: each agent's streak is unknown until its next miss. */
    skipRound(): void {
      firstStreak = null;
      for (const record of byAgent.values()) record.streak = null;
    },
    /** Returns the streak bonus; null if it depends on unread rounds. */
    add(scored: ScoredPrediction, windows: readonly Period[]): number | null {
      const record = byAgent.get(scored.agentId) ?? newAgentRecord(firstStreak);
      byAgent.set(scored.agentId, record);
      if (!scored.correct) record.streak = 0;
      else if (record.streak !== null) record.streak += 1;
      record.bestStreak = Math.max(record.bestStreak, record.streak ?? 0);
      const bonus = !scored.correct ? 0 : record.streak === null ? null : streakBonus(record.streak);
      for (const period of windows) addTo(record.windows[period], { ...scored, bonus });
      return bonus;
    },
  };
}

/** `streak` is null while unread rounds may have added to it. */
export function newAgentRecord(streak: number | null) {
  const windows = { daily: noSums(), weekly: noSums(), monthly: noSums(), alltime: noSums() };
  return { windows, streak, bestStreak: 0 };
}

export function addTo(sums: Sums, scored: AddedPrediction): void {
  const { correct, payoff, bonus, arenaPoints, edge, arenaEdge, isStanding } = scored;
  sums.points += payoff.score + (bonus ?? 0);
  sums.arenaPoints += arenaPoints;
  sums.wins += correct ? 1 : 0;
  sums.competitions += 1;
  sums.standing += isStanding ? 1 : 0;
  sums.pnlCents += inUnits(Number(payoff.pnlUsd), CENTS);
  sums.brier += inUnits(Number(payoff.brier), MILLIONTHS);
  sums.referenceBrier += inUnits(Number(payoff.referenceBrier), MILLIONTHS);
  addEdge(sums.edges, edge);
  addEdge(sums.arenaEdges, arenaEdge);
}

export function noSums() {
  const counts = { points: 0, arenaPoints: 0, wins: 0, competitions: 0, standing: 0, pnlCents: 0 };
  return { ...counts, brier: 0, referenceBrier: 0, edges: noEdges(), arenaEdges: noEdges() };
}
