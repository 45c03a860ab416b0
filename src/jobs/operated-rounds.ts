import { Round } from '../entities/round.ts';
import type { NewEvent } from '../feed/event-log.ts';
import { DomainError } from '../rules/errors.ts';
import type { AdminOrder } from './audit.ts';
import type { ResolvingDeps } from './resolve/waiting-rounds.ts';

export type DecidedState = ReturnType<typeof decisionOf>;

export function decisionOf({ status, outcome, voidReason }: Round) {
  return { status, outcome: outcome ?? null, void_reason: voidReason ?? null };
}

export async function existingRound({ newEm }: ResolvingDeps, roundId: number): Promise<Round> {
  const round = await newEm().findOne(Round, { id: roundId });
  if (round === null) throw noRound(roundId);
  return round;
}

export function noRound(roundId: number): DomainError {
  return new DomainError('unknown_round', `There is no round ${roundId}.`);
}

export function conflict(message: string): DomainError {
  return new DomainError('conflict', message);
}

/** The event that publishes an action with its reason, without the operator's name. */
export function actionEvent({ action, id, reason }: AdminOrder): NewEvent {
  return { kind: 'ADMIN_ACTION', roundId: id, payload: { action, roundId: id, reason } };
}
