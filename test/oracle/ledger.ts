import type { Candles } from './candle-files.ts';
import { numberOf, textOf, type Body } from './json.ts';
import { verdictOf, type Verdict } from './questions.ts';
import type { RoundFacts } from './round-facts.ts';
import { arenaPointsOf, edgeOf, placed, pnlCentsOf, scoreOf, streakBonusOf } from './scores.ts';
import { NO_EDGES, tierOf, withEdge, type Edges, type Tier } from './tiers.ts';

/** A prediction that was accepted. */
export interface Answer {
  readonly id: number;
  readonly agent: number;
  readonly prediction: string;
  readonly confidence: number;
  /** In a form whose order is that of time. */
  readonly submittedAt: string;
  /** What its Brier score is beside what the price alone said, in millionths; null where no price was known. */
  readonly edge: bigint | null;
}

export interface Scored extends Answer {
  readonly correct: boolean;
  readonly score: number;
  readonly streakBonus: number;
  readonly place: number;
  readonly arenaPoints: number;
  readonly pnlCents: bigint;
}

/** An agent's state after a number of resolved rounds, all-time. */
export interface Career {
  readonly points: number;
  readonly competitions: number;
  readonly streak: number;
  readonly bestStreak: number;
  readonly edges: Edges;
  readonly tier: Tier;
}

export const NEWCOMER: Career = {
  points: 0,
  competitions: 0,
  streak: 0,
  bestStreak: 0,
  edges: NO_EDGES,
  tier: 'bronze',
};

interface Decided<A extends Answer> {
  readonly choices: readonly string[];
  readonly outcome: string;
  readonly answers: readonly A[];
}

/** The answers to a round by their places, with their scores; `careers`, in which they are continued, are those of everybody before it. */
export function scoredIn<A extends Answer>(round: Decided<A>, careers: Map<number, Career>): (A & Scored)[] {
  const judged = round.answers.map((answer) => {
    const correct = answer.prediction === round.outcome;
    return { ...answer, correct, score: scoreOf(answer.confidence, correct) };
  });
  return placed(judged).map((answer, index) => {
    const { agent, correct, score, confidence } = answer;
    const before = careers.get(agent) ?? NEWCOMER;
    const streak = correct ? before.streak + 1 : 0;
    const streakBonus = streakBonusOf(streak);
    careers.set(agent, continued(before, { streak, points: score + streakBonus, edge: answer.edge }));
    const pnlCents = pnlCentsOf(round.choices.length, confidence, correct);
    return { ...answer, streakBonus, place: index + 1, arenaPoints: arenaPointsOf(index + 1), pnlCents };
  });
}

function continued(career: Career, round: { streak: number; points: number; edge: bigint | null }): Career {
  const points = career.points + round.points;
  const competitions = career.competitions + 1;
  const edges = round.edge === null ? career.edges : withEdge(career.edges, round.edge);
  const bestStreak = Math.max(career.bestStreak, round.streak);
  return { points, competitions, streak: round.streak, bestStreak, edges, tier: tierOf(points, competitions, edges) };
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

/** What was submitted. */
export interface Submitted {
  readonly accepted: readonly Body[];
  /** What the price alone said when it was accepted, by the prediction's id; of one that is missing no price was known. */
  readonly said: ReadonlyMap<number, readonly number[]>;
}

/** `rounds` are those that are over, in the order of their hours. */
export function ledgerOf(rounds: readonly RoundFacts[], { accepted, said }: Submitted, candles: Candles): Ledger {
  const byRound = Map.groupBy(accepted, (prediction) => numberOf(prediction, 'round_id'));
  const verdicts = new Map(rounds.map((round) => [round.id, verdictOf(round, candles)]));
  const careers = new Map<number, Career>();
  const resolved = rounds.flatMap((facts): ResolvedRound[] => {
    const verdict = verdicts.get(facts.id);
    if (verdict?.status !== 'resolved') return [];
    const { choices } = facts;
    const { outcome } = verdict;
    const answers = (byRound.get(facts.id) ?? []).map((body) => {
      const [id, prediction, confidence] = [
        numberOf(body, 'id'),
        textOf(body, 'prediction'),
        numberOf(body, 'confidence'),
      ];
      const odds = said.get(id);
      const edge = odds === undefined ? null : edgeOf({ choices, said: odds, prediction, confidence }, outcome);
      const [agent, submittedAt] = [numberOf(body, 'agent_id'), textOf(body, 'submitted_at')];
      return { id, agent, prediction, confidence, submittedAt, edge };
    });
    return [{ facts, scored: scoredIn({ choices, outcome, answers }, careers), careers: new Map(careers) }];
  });
  return { verdicts, resolved, accepted: byRound };
}
