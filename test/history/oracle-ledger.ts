import { numberOf, textOf, type Body } from './json.ts';
import { verdictOf, type Verdict } from './oracle-questions.ts';
import { arenaPointsOf, placed, pnlCentsOf, scoreOf, streakBonusOf, type Standing } from './oracle-scores.ts';
import { edgeOf, evenOdds } from './oracle-edges.ts';
import { NO_EDGES, tierOf, withEdge, type Edges, type Tier } from './oracle-tiers.ts';
import type { Candles } from './candle-files.ts';
import type { RoundFacts } from './round-facts.ts';

export interface Scored extends Standing {
  readonly agent: number;
  readonly streakBonus: number;
  readonly arenaPoints: number;
  readonly pnlCents: bigint;
  /** In millionths. */
  readonly edge: bigint;
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
  edges: NO_EDGES,
  tier: 'bronze',
};

/** What was submitted. */
export interface Submitted {
  readonly accepted: readonly Body[];
  /** What the price alone said when it was accepted, by the prediction's id; even odds of one that is missing. */
  readonly said: ReadonlyMap<number, readonly number[]>;
}

/** `rounds` are those that are over, in the order of their hours. */
export function ledgerOf(rounds: readonly RoundFacts[], { accepted, said }: Submitted, candles: Candles): Ledger {
  const byRound = Map.groupBy(accepted, (prediction) => numberOf(prediction, 'round_id'));
  const verdicts = new Map(rounds.map((round) => [round.id, verdictOf(round, candles)]));
  const resolved: ResolvedRound[] = [];
  for (const facts of rounds) {
    const verdict = verdicts.get(facts.id);
    if (verdict?.status !== 'resolved') continue;
    const before = resolved.at(-1)?.careers ?? new Map<number, Career>();
    const standings = (byRound.get(facts.id) ?? []).map((prediction) =>
      standingOf(prediction, { facts, outcome: verdict.outcome, said }),
    );
    resolved.push(resolvedRound(facts, standings, before));
  }
  return { verdicts, resolved, accepted: byRound };
}

function resolvedRound(
  facts: RoundFacts,
  standings: readonly Judged[],
  before: ReadonlyMap<number, Career>,
): ResolvedRound {
  const careers = new Map(before);
  const scored = placed(standings).map((standing, index): Scored => {
    const career = careers.get(standing.agent) ?? NEWCOMER;
    const streak = standing.correct ? career.streak + 1 : 0;
    const streakBonus = streakBonusOf(streak);
    careers.set(standing.agent, continued(career, { ...standing, streak, streakBonus }));
    const pnlCents = pnlCentsOf(facts.choices.length, standing.confidence, standing.correct);
    return { ...standing, streakBonus, arenaPoints: arenaPointsOf(index + 1), pnlCents };
  });
  return { facts, scored, careers };
}

interface Judged extends Standing {
  readonly agent: number;
  readonly edge: bigint;
}

function standingOf(
  accepted: Body,
  { facts: { choices }, outcome, said }: { facts: RoundFacts; outcome: string; said: Submitted['said'] },
): Judged {
  const [id, confidence] = [numberOf(accepted, 'id'), numberOf(accepted, 'confidence')];
  const prediction = textOf(accepted, 'prediction');
  const correct = prediction === outcome;
  return {
    id,
    agent: numberOf(accepted, 'agent_id'),
    confidence,
    submittedAt: textOf(accepted, 'submitted_at'),
    correct,
    score: scoreOf(confidence, correct),
    edge: edgeOf({ choices, said: said.get(id) ?? evenOdds(choices), prediction, confidence }, outcome),
  };
}

function continued(career: Career, round: Judged & { streak: number; streakBonus: number }): Career {
  const points = career.points + round.score + round.streakBonus;
  const competitions = career.competitions + 1;
  const edges = withEdge(career.edges, round.edge);
  const bestStreak = Math.max(career.bestStreak, round.streak);
  return { points, competitions, streak: round.streak, bestStreak, edges, tier: tierOf(points, competitions, edges) };
}
