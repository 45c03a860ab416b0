import { numberOf, textOf, type Body } from './json.ts';
import { verdictOf, type Verdict } from './oracle-questions.ts';
import { arenaPointsOf, placed, pnlCentsOf, scoreOf, streakBonusOf, type Standing } from './oracle-scores.ts';
import { NO_SKILL, tierOf, withPrediction, type Skill, type Tier } from './oracle-tiers.ts';
import type { Candles } from './candle-files.ts';
import type { RoundFacts } from './round-facts.ts';

export interface Scored extends Standing {
  readonly agent: number;
  readonly streakBonus: number;
  readonly arenaPoints: number;
  readonly pnlCents: bigint;
}

/** An agent's state after a number of resolved rounds, all-time. */
export interface Career {
  readonly points: number;
  readonly competitions: number;
  readonly streak: number;
  readonly bestStreak: number;
  readonly skill: Skill;
  readonly tier: Tier;
}

export interface ResolvedRound {
  readonly facts: RoundFacts;
  readonly scored: readonly Scored[];
  /** Every agent's career once this round is resolved. */
  readonly careers: ReadonlyMap<number, Career>;
}

/** All that follows from the questions, the candles and the accepted predictions. */
export interface Ledger {
  readonly verdicts: ReadonlyMap<number, Verdict>;
  /** In the order of resolution, which is that of the rounds; void ones are not among them. */
  readonly resolved: readonly ResolvedRound[];
  readonly accepted: ReadonlyMap<number, readonly Body[]>;
}

export const NEWCOMER: Career = {
  points: 0,
  competitions: 0,
  streak: 0,
  bestStreak: 0,
  skill: NO_SKILL,
  tier: 'bronze',
};

/** `rounds` are those that are over, in the order of their hours. */
export function ledgerOf(rounds: readonly RoundFacts[], accepted: readonly Body[], candles: Candles): Ledger {
  const byRound = Map.groupBy(accepted, (prediction) => numberOf(prediction, 'round_id'));
  const verdicts = new Map(rounds.map((round) => [round.id, verdictOf(round, candles)]));
  const resolved: ResolvedRound[] = [];
  for (const facts of rounds) {
    const verdict = verdicts.get(facts.id);
    if (verdict?.status !== 'resolved') continue;
    const before = resolved.at(-1)?.careers ?? new Map<number, Career>();
    resolved.push(resolvedRound(facts, verdict.outcome, byRound.get(facts.id) ?? [], before));
  }
  return { verdicts, resolved, accepted: byRound };
}

function resolvedRound(
  facts: RoundFacts,
  outcome: string,
  accepted: readonly Body[],
  before: ReadonlyMap<number, Career>,
): ResolvedRound {
  const careers = new Map(before);
  const standings = accepted.map((prediction) => standingOf(prediction, outcome));
  const scored = placed(standings).map((standing, index): Scored => {
    const career = careers.get(standing.agent) ?? NEWCOMER;
    const streak = standing.correct ? career.streak + 1 : 0;
    const streakBonus = streakBonusOf(streak);
    careers.set(standing.agent, continued(career, { ...standing, streak, streakBonus, answers: facts.choices.length }));
    const pnlCents = pnlCentsOf(facts.choices.length, standing.confidence, standing.correct);
    return { ...standing, streakBonus, arenaPoints: arenaPointsOf(index + 1), pnlCents };
  });
  return { facts, scored, careers };
}

function standingOf(prediction: Body, outcome: string): Standing & { agent: number } {
  const confidence = numberOf(prediction, 'confidence');
  const correct = textOf(prediction, 'prediction') === outcome;
  return {
    id: numberOf(prediction, 'id'),
    agent: numberOf(prediction, 'agent_id'),
    confidence,
    submittedAt: textOf(prediction, 'submitted_at'),
    correct,
    score: scoreOf(confidence, correct),
  };
}

function continued(career: Career, round: Standing & { streak: number; streakBonus: number; answers: number }): Career {
  const points = career.points + round.score + round.streakBonus;
  const competitions = career.competitions + 1;
  const skill = withPrediction(career.skill, round.answers, round.confidence, round.correct);
  const bestStreak = Math.max(career.bestStreak, round.streak);
  return { points, competitions, streak: round.streak, bestStreak, skill, tier: tierOf(points, competitions, skill) };
}
