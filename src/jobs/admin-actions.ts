import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { AdminAction, type AdminActionName } from '../entities/admin-action.ts';
import { Round } from '../entities/round.ts';
import { appendEvents, type NewEvent } from '../feed/event-log.ts';
import { MarketUnavailable } from '../market/market.ts';
import { DomainError } from '../rules/errors.ts';
import type { RoundStatus } from '../rules/round-states.ts';
import { judge, logDecided } from './resolution.ts';
import { resolveWaiting, type ResolvingDeps } from './resolving.ts';
import { addToTotals, decideRound, lockRound, tallyRound } from './round-statements.ts';

type Action = (deps: ResolvingDeps, roundId: number, order: AdminOrder) => Promise<AdminResult>;

/**
 * What an operator may do to a round, each recorded in the audit and in the event log. Throws `NOT_FOUND` for a round
 * that there is not and `CONFLICT` for one whose state does not allow it; that is recorded too.
 */
export const ADMIN_ACTION_HANDLERS: Readonly<Record<AdminActionName, Action>> = {
  void: logged('void', voidRound),
  retry: logged('retry', retryRound),
  resolve: logged('resolve', resolveAgain),
};

function logged(action: AdminActionName, carryOut: Action): Action {
  return async (deps, roundId, order) => {
    const log = (result: unknown): void =>
      deps.log.info({ roundId, action, reason: order.reason, result }, 'An operator acted on a round');
    try {
      const result = await carryOut(deps, roundId, order);
      log(result);
      return result;
    } catch (error) {
      if (error instanceof DomainError) log({ refused: error.message });
      throw error;
    }
  };
}

/** Ends a round that is not decided without an outcome, at once and for good. */
async function voidRound(deps: ResolvingDeps, roundId: number, order: AdminOrder): Promise<AdminResult> {
  const round = await existing(deps, roundId);
  const now = deps.clock.now();
  const result = { status: 'void', void_reason: 'admin' };
  const found = await deps.newEm().transactional(async (transaction) => {
    const locked = await lockRound(transaction, roundId, now);
    if (locked === null || isDecided(locked.status)) return locked;
    const decision = { status: 'void', outcome: null, value: null, voidReason: 'admin', now } as const;
    await decideRound(transaction, roundId, { ...decision, voidNote: order.reason });
    await tallyRound(transaction, roundId);
    await addToTotals(transaction, round, null);
    await recordAction(transaction, { ...order, action: 'void', roundId, result, now });
    await appendEvents(transaction, now, [
      actionEvent({ ...order, action: 'void', roundId }),
      { kind: 'ROUND_VOID', roundId, payload: { reason: 'admin' } },
    ]);
    return locked;
  });
  if (found === null) throw noRound(roundId);
  const { status, entries } = found;
  if (isDecided(status)) throw await refused(deps, { ...order, action: 'void', roundId }, `is ${status} already`);
  deps.announce();
  logDecided(deps.log, round, { entries, decidedAt: now, voidReason: 'admin', why: order.reason });
  return result;
}

/** Tries to decide a round that waits for its outcome now, whenever its next try is, and those before it if it can be. */
async function retryRound(deps: ResolvingDeps, roundId: number, order: AdminOrder): Promise<AdminResult> {
  const { status } = await existing(deps, roundId);
  if (status !== 'resolving')
    throw await refused(deps, { ...order, action: 'retry', roundId }, `is ${status}, not resolving`);
  const now = deps.clock.now();
  const record = { ...order, action: 'retry', roundId, now } as const;
  let result: AdminResult | null = null;
  const extraWrites = async (transaction: SqlEntityManager, decided: AdminResult) => {
    await recordAction(transaction, { ...record, result: decided });
    result = decided;
    return [actionEvent(record)];
  };
  const ends = await resolveWaiting(deps, { isWanted: ({ id }) => id === roundId, extraWrites });
  const end = ends.get(roundId);
  if (end?.kind === 'failed') throw end.error;
  if (end?.kind === 'waits' || end?.kind === 'held') {
    const problem = end.kind === 'waits' ? end.why : 'An older round could not be tried.';
    return recordAlone(deps, { ...record, result: { status: 'resolving', problem } });
  }
  // Somebody else was faster.
  return result ?? recordAlone(deps, { ...record, result: decisionOf(await existing(deps, roundId)) });
}

/**
 * Resolves again: a round that waits is retried. A decided one is judged once more by the market as it is now and
 * never rewritten; `unchanged`: whether that gives what stands; null while the market has no answer.
 */
async function resolveAgain(deps: ResolvingDeps, roundId: number, order: AdminOrder): Promise<AdminResult> {
  const round = await existing(deps, roundId);
  if (round.status === 'resolving') return retryRound(deps, roundId, order);
  if (!isDecided(round.status))
    throw await refused(deps, { ...order, action: 'resolve', roundId }, `is ${round.status}: its hour is not over`);
  const now = deps.clock.now();
  const standing = decisionOf(round);
  const again = await judgedAgain(deps, round, now);
  const unchanged = 'problem' in again ? null : isSame(standing, again);
  return recordAlone(deps, {
    ...order,
    action: 'resolve',
    roundId,
    now,
    result: { unchanged, ...standing, again },
  });
}

type DecidedState = {
  readonly status: RoundStatus;
  readonly outcome: string | null;
  readonly void_reason: string | null;
};

function decisionOf({ status, outcome, voidReason }: Round): DecidedState {
  return { status, outcome: outcome ?? null, void_reason: voidReason ?? null };
}

async function judgedAgain(deps: ResolvingDeps, round: Round, now: Date): Promise<DecidedState | { problem: string }> {
  try {
    const { verdict, outcome } = await judge(deps, round, now);
    if (outcome.kind === 'answer') return { status: 'resolved', outcome: outcome.answer, void_reason: null };
    if (verdict.problem !== null && round.voidReason !== verdict.problem) return { problem: verdict.problem };
    return { status: 'void', outcome: null, void_reason: outcome.reason };
  } catch (error) {
    if (error instanceof MarketUnavailable) return { problem: error.message };
    throw error;
  }
}

function isSame(standing: DecidedState, again: DecidedState): boolean {
  return standing.outcome === again.outcome && standing.void_reason === again.void_reason;
}

function isDecided(status: RoundStatus): status is 'resolved' | 'void' {
  return status === 'resolved' || status === 'void';
}

async function existing({ newEm }: ResolvingDeps, roundId: number): Promise<Round> {
  const round = await newEm().findOne(Round, { id: roundId });
  if (round === null) throw noRound(roundId);
  return round;
}

function noRound(roundId: number): DomainError {
  return new DomainError('unknown_round', `There is no round ${roundId}.`);
}

/** Records an action that changes nothing, and announces it. */
async function recordAlone(deps: ResolvingDeps, record: AdminRecord): Promise<AdminResult> {
  await deps.newEm().transactional(async (transaction) => {
    await recordAction(transaction, record);
    await appendEvents(transaction, record.now, [actionEvent(record)]);
  });
  deps.announce();
  return record.result;
}

/** Records an attempt that came to nothing; no event announces it. */
async function refused(
  deps: ResolvingDeps,
  attempt: Omit<AdminRecord, 'result' | 'now'>,
  why: string,
): Promise<DomainError> {
  const message = `Round ${attempt.roundId} ${why}.`;
  await recordAction(deps.newEm(), { ...attempt, result: { refused: message }, now: deps.clock.now() });
  return new DomainError('CONFLICT', message);
}

/** Who orders something, and why. */
export interface AdminOrder {
  /** For the audit alone. */
  readonly actor: string;
  /** One sentence; it is shown to everybody. */
  readonly reason: string | null;
}

/** What came of an order: what the operator is answered, and what the audit keeps. */
export type AdminResult = Readonly<Record<string, unknown>>;

interface AdminRecord extends AdminOrder {
  readonly action: AdminActionName;
  readonly roundId: number;
  readonly result: AdminResult;
  readonly now: Date;
}

/** Puts an action into the audit; part of the transaction that carries it out. */
async function recordAction(transaction: SqlEntityManager, record: AdminRecord): Promise<void> {
  const { now, actor, action, roundId, reason, result } = record;
  await transaction.insert(AdminAction, { at: now, actor, action, roundId, reason, result });
}

/** The event that publishes an action: what was done and why, and not by whom. */
function actionEvent({ action, roundId, reason }: Pick<AdminRecord, 'action' | 'roundId' | 'reason'>): NewEvent {
  return { kind: 'ADMIN_ACTION', roundId, payload: { action, roundId, reason } };
}
