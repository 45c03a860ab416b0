import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { Clock } from '../clock.ts';
import type { AdminActionName } from '../entities/admin-action.ts';
import { Round } from '../entities/round.ts';
import { appendEvents } from '../feed/event-log.ts';
import { DomainError } from '../rules/errors.ts';
import type { RoundStatus } from '../rules/round-states.ts';
import { actionEvent, type AdminOrder, type AdminRecord, type AdminResult, recordAction } from './admin-record.ts';
import { judge, NotDecidableYet, type ResolutionNeeds, resolveRound } from './resolution.ts';
import { countDecided, decideRound, lockRound } from './round-statements.ts';
import { tallyRound } from './tally-statements.ts';

export interface AdminNeeds extends ResolutionNeeds {
  readonly clock: Clock;
  /** Called after a commit that has written events. */
  readonly announce: () => void;
}

type Action = (needs: AdminNeeds, roundId: number, order: AdminOrder) => Promise<AdminResult>;

/**
 * What an operator may do to a round, each recorded in the audit. Throws `NOT_FOUND` for a round that there is not and
 * `CONFLICT` for one whose state does not allow it; that is recorded too.
 */
export const ADMINISTRATION: Readonly<Record<AdminActionName, Action>> = {
  void: voidRound,
  retry: retryRound,
  resolve: resolveAgain,
};

/** Ends a round that is not decided without an outcome, at once and for good. */
async function voidRound(needs: AdminNeeds, roundId: number, order: AdminOrder): Promise<AdminResult> {
  const round = await existing(needs, roundId);
  const now = needs.clock.now();
  const result = { status: 'void', void_reason: 'admin' };
  const found = await needs.newEm().transactional(async (transaction) => {
    const status = await lockRound(transaction, roundId);
    if (status === null || isDecided(status)) return status;
    const decision = { status: 'void', outcome: null, value: null, voidReason: 'admin', now } as const;
    await decideRound(transaction, roundId, decision);
    await tallyRound(transaction, roundId);
    await countDecided(transaction, round, null);
    await recordAction(transaction, { ...order, action: 'void', roundId, result, now });
    await appendEvents(transaction, now, [
      actionEvent({ ...order, action: 'void', roundId }),
      { kind: 'ROUND_VOID', roundId, payload: { reason: 'admin' } },
    ]);
    return status;
  });
  if (found === null) throw noRound(roundId);
  if (isDecided(found)) throw await refused(needs, { ...order, action: 'void', roundId }, `is ${found} already`);
  needs.announce();
  return result;
}

/** Tries to decide a round that waits for its outcome now, whatever its backoff says. */
async function retryRound(needs: AdminNeeds, roundId: number, order: AdminOrder): Promise<AdminResult> {
  const { status } = await existing(needs, roundId);
  if (status !== 'resolving')
    throw await refused(needs, { ...order, action: 'retry', roundId }, `is ${status}, not resolving`);
  const now = needs.clock.now();
  const record = { ...order, action: 'retry', roundId, now } as const;
  let result: AdminResult | null = null;
  const alongside = async (transaction: SqlEntityManager, decided: AdminResult) => {
    await recordAction(transaction, { ...record, result: decided });
    result = decided;
    return [actionEvent(record)];
  };
  try {
    await resolveRound(needs, roundId, { now, attempt: 1, alongside });
  } catch (error) {
    if (!(error instanceof NotDecidableYet)) throw error;
    return recordAlone(needs, { ...record, result: { status: 'resolving', problem: error.message } });
  }
  needs.announce();
  // Somebody else was quicker.
  return result ?? recordAlone(needs, { ...record, result: decisionOf(await existing(needs, roundId)) });
}

/**
 * Resolves again: a round that waits is retried. A decided one is judged once more by the market as it is now and
 * never rewritten; `unchanged` tells whether that gives what stands, and is null while the market cannot tell.
 */
async function resolveAgain(needs: AdminNeeds, roundId: number, order: AdminOrder): Promise<AdminResult> {
  const round = await existing(needs, roundId);
  if (round.status === 'resolving') return retryRound(needs, roundId, order);
  if (!isDecided(round.status))
    throw await refused(needs, { ...order, action: 'resolve', roundId }, `is ${round.status}: its hour is not over`);
  const now = needs.clock.now();
  const standing = decisionOf(round);
  const again = await judgedAgain(needs, round, now);
  const unchanged = 'problem' in again ? null : isSame(standing, again);
  return recordAlone(needs, {
    ...order,
    action: 'resolve',
    roundId,
    now,
    result: { unchanged, ...standing, again },
  });
}

type Decision = { readonly status: RoundStatus; readonly outcome: string | null; readonly void_reason: string | null };

function decisionOf({ status, outcome, voidReason }: Round): Decision {
  return { status, outcome: outcome ?? null, void_reason: voidReason ?? null };
}

async function judgedAgain(needs: AdminNeeds, round: Round, now: Date): Promise<Decision | { problem: string }> {
  try {
    const { verdict, outcome } = await judge(needs, round, { now, attempt: 1 });
    if (outcome.kind === 'answer') return { status: 'resolved', outcome: outcome.answer, void_reason: null };
    if (verdict.problem !== null && round.voidReason !== verdict.problem) return { problem: verdict.problem };
    return { status: 'void', outcome: null, void_reason: outcome.reason };
  } catch (error) {
    if (error instanceof NotDecidableYet) return { problem: error.message };
    throw error;
  }
}

function isSame(standing: Decision, again: Decision): boolean {
  return standing.outcome === again.outcome && standing.void_reason === again.void_reason;
}

function isDecided(status: RoundStatus): status is 'resolved' | 'void' {
  return status === 'resolved' || status === 'void';
}

async function existing({ newEm }: AdminNeeds, roundId: number): Promise<Round> {
  const round = await newEm().findOne(Round, { id: roundId });
  if (round === null) throw noRound(roundId);
  return round;
}

function noRound(roundId: number): DomainError {
  return new DomainError('NOT_FOUND', `There is no round ${roundId}.`);
}

/** Records an action that changes nothing, and tells of it. */
async function recordAlone(needs: AdminNeeds, record: AdminRecord): Promise<AdminResult> {
  await needs.newEm().transactional(async (transaction) => {
    await recordAction(transaction, record);
    await appendEvents(transaction, record.now, [actionEvent(record)]);
  });
  needs.announce();
  return record.result;
}

/** Records an attempt that came to nothing; nobody else hears of it. */
async function refused(
  needs: AdminNeeds,
  attempt: Omit<AdminRecord, 'result' | 'now'>,
  why: string,
): Promise<DomainError> {
  const message = `Round ${attempt.roundId} ${why}.`;
  await recordAction(needs.newEm(), { ...attempt, result: { refused: message }, now: needs.clock.now() });
  return new DomainError('CONFLICT', message);
}
