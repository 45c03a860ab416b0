import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { Round } from '../entities/round.ts';
import { appendEvents } from '../feed/event-log.ts';
import type { AdminAction } from '../rules/admin-actions.ts';
import { isDecided } from '../rules/round-states.ts';
import { amendRound } from './amend-round.ts';
import { type ActionResult, type AdminOrder, recordAction, withAudit } from './audit.ts';
import { actionEvent, conflict, type DecidedState, decisionOf, existingRound, noRound } from './operated-rounds.ts';
import { judge, logDecided, orProblem } from './resolve/resolve-round.ts';
import { resolveWaiting, type ResolvingDeps } from './resolve/waiting-rounds.ts';
import { stepOf } from './resolve/next-try.ts';
import { lockRound } from './ledger/locks.ts';
import { endVoid } from './resolve/decisions.ts';
import { appendRound } from '../transparency/append.ts';

type Handler = (deps: ResolvingDeps, order: AdminOrder) => Promise<ActionResult>;

type RoundAction = Extract<AdminAction, { of: 'rounds' }>['name'];

/**
 * The actions of operators on rounds, each recorded in the audit and in the event log. Throws `NOT_FOUND` for an unknown
 * round and `CONFLICT` for one in another state.
 */
export const ROUND_ACTIONS: Readonly<Record<RoundAction, Handler>> = {
  void: voidRound,
  retry: retryRound,
  resolve: resolveAgain,
  amend: amendRound,
};

/** Ends an undecided round without an outcome. */
async function voidRound(deps: ResolvingDeps, order: AdminOrder): Promise<ActionResult> {
  const { id, reason, dryRun } = order;
  const round = await existingRound(deps, id);
  const result = { status: 'void', void_reason: 'admin' };
  let ended = { entries: 0, decidedAt: deps.clock.now() };
  const done = await withAudit(deps, order, async (transaction, now) => {
    const locked = await lockRound(transaction, id, now);
    if (locked === null) throw noRound(id);
    const { status, entries } = locked;
    if (isDecided(status)) throw conflict(`Round ${id} is ${status} already.`);
    ended = { entries, decidedAt: now };
    // Once it is over, an amendment may count its predictions: the log has them as they are now.
    if (status !== 'resolving') await appendRound(transaction, deps, { roundId: id, at: now });
    const roundVoid = await endVoid(transaction, round, {
      voidReason: 'admin',
      voidNote: reason,
      decidedAt: now,
      deps,
    });
    await appendEvents(transaction, now, [actionEvent(order), roundVoid]);
    return { effect: `Round ${id} ends without an outcome: its ${entries} predictions are not scored.`, result };
  });
  if (dryRun) return done;
  deps.announce();
  logDecided(deps.log, round, { ...ended, voidReason: 'admin', why: reason });
  return done;
}

/** Tries now to decide a round that waits for its outcome, and the rounds before it. */
async function retryRound(deps: ResolvingDeps, given: AdminOrder): Promise<ActionResult> {
  const order = { ...given, action: 'retry' } as const;
  const { id } = order;
  const round = await existingRound(deps, id);
  if (round.status !== 'resolving') throw conflict(`Round ${id} is ${round.status}, not resolving.`);
  const now = deps.clock.now();
  if (order.dryRun) return retryResult(id, await tryWouldFind(deps, round, now));
  let decided: Pick<DecidedState, 'outcome'> | null = null;
  const extraWrites = async (transaction: SqlEntityManager, result: Pick<DecidedState, 'outcome'>) => {
    await recordAction(transaction, order, { now, result });
    decided = result;
    return [actionEvent(order)];
  };
  const ends = await resolveWaiting(deps, { isWanted: (one) => one.id === id, extraWrites });
  const end = ends.get(id);
  if (end?.kind === 'failed') throw end.error;
  if (end?.kind === 'waits' || end?.kind === 'held')
    return recordAlone(deps, order, retryResult(id, { problem: end.why }));
  if (decided !== null) return retryResult(id, decided);
  // Another process has decided it meanwhile.
  return recordAlone(deps, order, retryResult(id, decisionOf(await existingRound(deps, id))));
}

function retryResult(id: number, found: { readonly problem: string } | Pick<DecidedState, 'outcome'>): ActionResult {
  if ('problem' in found) {
    const result = { status: 'resolving', problem: found.problem };
    return { effect: `Round ${id} still waits for its outcome: ${found.problem}`, result };
  }
  const end = found.outcome === null ? 'ends without an outcome' : `is won by ${found.outcome}`;
  return { effect: `Round ${id} ${end}.`, result: found };
}

/**
 * Retries a round that waits. A decided one is judged again by the present market and never rewritten; `unchanged` compares
 * the two decisions, and is null while the market has none.
 */
async function resolveAgain(deps: ResolvingDeps, order: AdminOrder): Promise<ActionResult> {
  const { id } = order;
  const round = await existingRound(deps, id);
  if (round.status === 'resolving') return retryRound(deps, order);
  if (!isDecided(round.status)) throw conflict(`Round ${id} is ${round.status}: its hour is not over.`);
  const present = decisionOf(round);
  const again = await judgedAgain(deps, round, deps.clock.now());
  const unchanged =
    'problem' in again ? null : present.outcome === again.outcome && present.void_reason === again.void_reason;
  const given = unchanged === null ? 'none' : unchanged ? 'the same one' : 'another one';
  const effect = `Round ${id} keeps its decision; the market now gives ${given}.`;
  return recordAlone(deps, order, { effect, result: { unchanged, ...present, again } });
}

async function tryWouldFind(deps: ResolvingDeps, round: Round, now: Date) {
  return orProblem(async () => {
    const { verdict, decision } = await judge(deps, round, now);
    const step = stepOf(round, verdict, now);
    return step.kind === 'wait' ? { problem: step.why } : { outcome: decision.outcome };
  });
}

async function judgedAgain(deps: ResolvingDeps, round: Round, now: Date): Promise<DecidedState | { problem: string }> {
  return orProblem(async () => {
    const { verdict, decision } = await judge(deps, round, now);
    if (verdict.problem !== null && round.voidReason !== verdict.problem) return { problem: verdict.problem };
    const { outcome, voidReason } = decision;
    return { status: outcome === null ? 'void' : 'resolved', outcome, void_reason: voidReason };
  });
}

/** Records an action that changes nothing, and announces it; a dry run does neither. */
async function recordAlone(deps: ResolvingDeps, order: AdminOrder, done: ActionResult): Promise<ActionResult> {
  await withAudit(deps, order, async (transaction, now) => {
    await appendEvents(transaction, now, [actionEvent(order)]);
    return done;
  });
  if (!order.dryRun) deps.announce();
  return done;
}
