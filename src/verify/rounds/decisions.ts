import { resolutionValue } from '../../rules/questions/deciding.ts';
import type { Question } from '../../rules/questions/question.ts';
import type { DecidedRound } from '../published/decided-round.ts';
import type { ReadRound } from '../published/history.ts';
import { checkEdges } from './round-edges.ts';
import { type Findings, newFindings } from '../findings.ts';
import type { Forecasts } from './round-forecasts.ts';
import type { RecomputedRound } from '../prices/round-references.ts';

interface Decision {
  readonly at: Date;
  /** The published outcome; null without one, and for one that is no answer to the question. */
  readonly answer: string | null;
  readonly byOperator: boolean;
}

export type RecomputedDecision = RecomputedRound & Decision;

/** The round as of each of its decisions, the first one first. */
export function decisionsOf<Read extends ReadRound>(
  read: Read,
  { choices }: Pick<Question, 'choices'>,
): readonly (Read & Decision)[] {
  const { round, details } = read;
  const answerOf = (outcome: string | null) => (outcome !== null && choices.includes(outcome) ? outcome : null);
  const [next] = details.amendments;
  const first = next === undefined ? round : decided(round, next.previousOutcome, next.previousVoidReason);
  const later = details.amendments.map((one) => {
    const { evidence, agreedCandles, amendedAt: at, outcome, voidReason, fromEvidence } = one;
    return {
      ...read,
      round: decided(round, outcome, voidReason),
      details: { ...details, evidence, agreedCandles },
      at,
      answer: answerOf(outcome),
      byOperator: !fromEvidence,
    };
  });
  const [at, answer] = [round.decided_at, answerOf(first.outcome)];
  return [{ ...read, round: first, at, answer, byOperator: first.void_reason === 'admin' }, ...later];
}

function decided(round: DecidedRound, outcome: string | null, reason: DecidedRound['void_reason']): DecidedRound {
  const isAnswer = outcome !== null && round.choices.includes(outcome);
  return {
    ...round,
    status: outcome === null ? 'void' : 'resolved',
    outcome,
    void_reason: reason,
    resolution_value: isAnswer ? resolutionValue(round, outcome) : null,
  };
}

export function checkChain({ round, details }: ReadRound, findings: Findings): void {
  const place = `round ${round.id}, amendments`;
  const present = { previousOutcome: round.outcome, previousVoidReason: round.void_reason };
  for (const [index, { outcome, voidReason }] of details.amendments.entries()) {
    const next = details.amendments[index + 1] ?? present;
    const published = { outcome: next.previousOutcome, voidReason: next.previousVoidReason };
    findings.values(place, published, { outcome, voidReason });
  }
}

/** Adds a round's edges to the forecasts' inputs, from the time of each decision on. */
export function recordEdges(read: RecomputedDecision, before: RecomputedDecision | null, forecasts: Forecasts): void {
  const edgesBy = ({ answer }: RecomputedDecision) =>
    answer === null
      ? new Map<number, never>()
      : checkEdges(read, { answer, arenaGains: null, findings: newFindings() });
  const [old, now] = [before && edgesBy(before), edgesBy(read)];
  for (const { id, agent_id: agentId } of read.predictions) {
    forecasts.addEdge(agentId, { removed: old?.get(id)?.edge ?? null, added: now.get(id)?.edge ?? null }, read.at);
  }
}
