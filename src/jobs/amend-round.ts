import { Amendment } from '../entities/amendments.ts';
import { Round } from '../entities/round.ts';
import { MAX_AMENDMENTS } from '../limits.ts';
import { submissionReferences } from '../references/references.ts';
import { refused } from '../rules/errors.ts';
import { DAY } from '../rules/hours.ts';
import { isDecided } from '../rules/round-states.ts';
import { applyAmendment } from './resolve/apply-amendment.ts';
import type { AmendableRound, AmendedDecision } from './resolve/decisions.ts';
import { type ActionResult, type AdminOrder, withAudit } from './audit.ts';
import { actionEvent, conflict, decisionOf, existingRound } from './operated-rounds.ts';
import { judge, logFields, orProblem } from './resolve/resolve-round.ts';
import type { ResolvingDeps } from './resolve/waiting-rounds.ts';
import { lockUntilCommit } from '../entities/advisory-locks.ts';
import { lockRound } from './ledger/locks.ts';
import type { RankChange } from './resolve/amendment-moves.ts';
import { whyOf } from './resolve/next-try.ts';

const AMENDABLE_MS = 7 * DAY;

/** Stores a new decision of a decided round, by the present candles or by the operator's answer. */
export async function amendRound(deps: ResolvingDeps, order: AdminOrder): Promise<ActionResult> {
  const { id, reason } = order;
  const found = await existingRound(deps, id);
  checkAmendable(found, deps.clock.now());
  const { decision, verdict } = await amendedDecision(deps, found, order);
  // As in a resolution, this stores missing prices, also in a dry run.
  const references = decision.outcome === null ? new Map() : await submissionReferences(deps, found);
  const done = await withAudit(deps, order, async (transaction, now) => {
    // The locks precede the lock of the round's row, as in counting transactions, to prevent deadlocks.
    await lockUntilCommit(transaction, 'months', { isShared: true });
    await lockUntilCommit(transaction, 'resolutions');
    await lockUntilCommit(transaction, 'counting');
    const locked = await lockRound(transaction, id, now);
    const round = await transaction.findOneOrFail(Round, { id });
    checkAmendable(round, now);
    const earlier = await transaction.count(Amendment, { roundId: id });
    if (earlier >= MAX_AMENDMENTS) throw conflict(`Round ${id} has already been amended ${earlier} times.`);
    const before = endOf(round);
    if (before === endOf(decision)) throw conflict(`Round ${id} is ${before} already.`);
    const { decidedAt: amendedAt = now } = locked ?? {};
    const events = [actionEvent(order)];
    const second = { decision, reason, verdict, references, amendedAt, events, deps };
    const { moves, rounds } = await applyAmendment(transaction, round, second);
    const scores = rounds.length === 1 ? 'Its scores change' : `Scores of ${rounds.length} rounds change`;
    const effect = `Round ${id} is now ${endOf(decision)}; before, it was ${before}. ${scores}. ${movesInWords(moves)}`;
    const result = {
      outcome: decision.outcome,
      void_reason: decision.voidReason,
      previous: decisionOf(round),
      rounds,
    };
    // The audit keeps no name.
    return { effect, result, shownOnce: { moves } };
  });
  if (order.dryRun) return done;
  deps.announce();
  deps.log.info({ ...logFields(found), ...decision, why: reason }, 'Round amended');
  return done;
}

/** Throws `CONFLICT`. */
function checkAmendable(round: Round, now: Date): asserts round is AmendableRound {
  const { id, status, decidedAt, endTime } = round;
  if (!isDecided(status) || decidedAt == null) throw conflict(`Round ${id} is ${status}: it has no decision to amend.`);
  if (endTime > now) throw conflict(`Round ${id} is void, and its hour is not over.`);
  if (now.getTime() - decidedAt.getTime() <= AMENDABLE_MS) return;
  throw conflict(
    `A round can be amended within 7 days of its decision (round ${id} was decided ${decidedAt.toISOString()}).`,
  );
}

async function amendedDecision(
  deps: ResolvingDeps,
  round: Round,
  { outcome: answer, fromEvidence = false }: AdminOrder,
): Promise<Pick<AmendedDecision, 'decision' | 'verdict'>> {
  if (fromEvidence === (answer !== undefined))
    throw refused('outcome', 'given exactly when from_evidence is not true', answer);
  if (!fromEvidence) {
    if (answer === 'void') return { decision: { outcome: null, voidReason: 'admin' }, verdict: null };
    const outcome = round.choices.find((choice) => choice === answer);
    if (outcome === undefined) throw refused('outcome', `one of ${round.choices.join(', ')} or void`, answer);
    return { decision: { outcome, voidReason: null }, verdict: null };
  }
  if (round.source !== deps.market.source)
    throw conflict(
      `Round ${round.id} was decided by ${round.source}, and the market is ${deps.market.source} now: give an outcome.`,
    );
  const judged = await orProblem(() => judge(deps, round, deps.clock.now()));
  if (!('problem' in judged) && judged.verdict.problem === null) return judged;
  const why = 'problem' in judged ? judged.problem : whyOf(judged.verdict);
  throw conflict(`The market has no decision for round ${round.id} now. ${why}`);
}

function endOf({ outcome, voidReason }: Pick<Round, 'outcome' | 'voidReason'>): string {
  return outcome == null ? `void (${voidReason})` : `won by ${outcome}`;
}

function movesInWords(moves: readonly RankChange[]): string {
  if (moves.length === 0) return 'No agent moves.';
  const moved = moves.slice(0, 10).map(({ agent, points, points_before: before, place, place_before: from }) => {
    const gain = points - before;
    return `${agent} from place ${from ?? 'none'} to ${place ?? 'none'} (${gain < 0 ? '' : '+'}${gain} points)`;
  });
  return `Largest moves over all time: ${moved.join(', ')}.`;
}
