import type { DecidedRound } from './decided-round.ts';
import type { Findings } from './findings.ts';
import type { ReadRound } from './history.ts';
import { checkEdges } from './round-edges.ts';
import { newFindings } from './findings.ts';
import type { ScoringNeeds } from './round-scores.ts';
import type { Forecasts } from './round-forecasts.ts';

/** A decision about a round with what it rests on; nearly every round has one alone, the first. */
export interface ReadDecision extends ReadRound {
  readonly at: Date;
  /** Whether an operator gave it, so that no rule decides it. */
  readonly byOperator: boolean;
}

/** The decisions about a round in the order of time. */
export function decisionsOf(read: ReadRound): readonly ReadDecision[] {
  const { round, details } = read;
  const [next] = details.amendments;
  const first = next === undefined ? round : decided(round, [next.previousOutcome, next.previousVoidReason]);
  const second = details.amendments.map((one): ReadDecision => {
    const { evidence, agreedCandles, amendedAt: at, outcome, voidReason, fromEvidence } = one;
    return {
      ...read,
      round: decided(round, [outcome, voidReason]),
      details: { ...details, evidence, agreedCandles },
      at,
      byOperator: !fromEvidence,
    };
  });
  return [{ ...read, round: first, at: round.decided_at, byOperator: first.void_reason === 'admin' }, ...second];
}

function endOf({ outcome, void_reason: reason }: DecidedRound): [string | null, DecidedRound['void_reason']] {
  return [outcome, reason];
}

function decided(round: DecidedRound, [outcome, reason]: ReturnType<typeof endOf>): DecidedRound {
  const place = outcome === null ? null : round.choices.indexOf(outcome);
  const value = place === null ? null : round.choices.length === 2 ? 1 - place : place;
  return {
    ...round,
    status: outcome === null ? 'void' : 'resolved',
    outcome,
    void_reason: reason,
    resolution_value: value,
  };
}

/** That each decision begins where the one before it ends, and that the last one is in force. */
export function checkChain({ round, details }: ReadRound, findings: Findings): void {
  const place = `round ${round.id}, amendments`;
  for (const [index, { outcome, voidReason }] of details.amendments.entries()) {
    const next = details.amendments[index + 1];
    const [then, reason] = next === undefined ? endOf(round) : [next.previousOutcome, next.previousVoidReason];
    findings.values(place, { outcome: then, voidReason: reason }, { outcome, voidReason });
  }
}

/** What forecasts knew of a round's edges: by the first decision from then on, and by each other one from its time on. */
export function tellEdges(
  read: ReadDecision,
  before: ReadDecision | null,
  { forecasts, ...needs }: Pick<ScoringNeeds, 'asked' | 'saidAt'> & { readonly forecasts: Forecasts },
): void {
  const edgesBy = ({ round: { outcome } }: ReadDecision) =>
    outcome === null
      ? new Map<number, never>()
      : checkEdges(read, { ...needs, answer: outcome, arenaGains: null, findings: newFindings() });
  const [old, now] = [before && edgesBy(before), edgesBy(read)];
  for (const { id, agent_id: agentId } of read.predictions) {
    forecasts.addEdge(agentId, { removed: old?.get(id)?.edge ?? null, added: now.get(id)?.edge ?? null }, read.at);
  }
}
