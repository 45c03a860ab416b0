import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { Round } from '../../entities/round.ts';
import type { DB } from '../../entities/tables.ts';
import { type HourVerdict, type Market, MarketUnavailable } from '../../market/market.ts';
import { submissionReferences } from '../../references/references.ts';
import { readEvidence } from '../../references/round-evidence.ts';
import type { LogDeps } from '../../transparency/append.ts';
import { addHours, SECOND } from '../../rules/hours.ts';
import { candlesNeeded, outcomeOf } from '../../rules/questions/deciding.ts';
import type { HistoryHour } from '../../rules/questions/question.ts';
import type { VoidReason } from '../../rules/round-states.ts';
import { applyDecision, type ExtraWrites } from './apply-decision.ts';
import type { Decision } from './decisions.ts';
import { nextTry, stepOf, tryingSince } from './next-try.ts';

export interface ResolutionDeps extends LogDeps {
  readonly newEm: () => SqlEntityManager;
  readonly market: Market;
  readonly log: RoundLog;
}

export interface AttemptOptions {
  readonly now: Date;
  /** Awaited before the round is decided; false: it must wait for an older one. */
  readonly olderFirst?: (() => Promise<boolean>) | undefined;
  readonly extraWrites?: ExtraWrites | undefined;
}

/** The result of a try: the round is decided, by this process or another, waits, or is held by an older one. */
export type AttemptResult =
  | { readonly kind: 'decided' }
  | { readonly kind: 'held'; readonly why: string; readonly tryAfter?: never }
  | { readonly kind: 'waits'; readonly why: string; readonly tryAfter: Date };

/**
 * Tries to decide a round that is over, in one transaction. Does nothing when the round is decided already, so that it may
 * run twice, and again after a kill. While sources have no agreeing candles, it stores why the round waits and until when.
 */
export async function resolveRound(deps: ResolutionDeps, roundId: number, at: AttemptOptions): Promise<AttemptResult> {
  const { newEm, market } = deps;
  const { now } = at;
  const round = await newEm().findOne(Round, { id: roundId });
  if (round?.status !== 'resolving') return { kind: 'decided' };
  const judged = await orProblem(() => judge(deps, round, now));
  if ('problem' in judged) return noteUndecided(deps, round, { now, why: judged.problem });
  const { verdict, decision } = judged;
  const step = stepOf(round, verdict, now);
  if (step.kind === 'wait') return noteUndecided(deps, round, { now, why: step.why });
  if ((await at.olderFirst?.()) === false) return { kind: 'held', why: 'An older round could not be tried.' };
  const references = await submissionReferences(deps, round);
  const basis = { verdict, market, now, references, deps, extraWrites: at.extraWrites };
  const applied = await applyDecision(newEm(), round, { decision, ...basis });
  if (applied !== null) {
    const { outcome, voidReason } = decision;
    const end = outcome === null ? { voidReason, why: step.kind === 'void' ? step.why : null } : { outcome };
    logDecided(deps.log, round, { ...applied, ...end });
  }
  return { kind: 'decided' };
}

/**
 * Notes with the round that a try did not decide it, and why. Skips a row that another transaction has locked, to decide it
 * or to note a try.
 */
export async function noteUndecided(
  { newEm, log }: ResolutionDeps,
  round: Round,
  { now, why }: { readonly now: Date; readonly why: string },
): Promise<AttemptResult> {
  const tryAfter = nextTry(round, now);
  const tables = newEm().getKysely<DB>();
  const resolving = tables.selectFrom('rounds').where('id', '=', round.id).where('status', '=', 'resolving');
  await tables
    .updateTable('rounds')
    .set({ trying_since: tryingSince(round, now), last_tried_at: now, last_problem: why, try_after: tryAfter })
    .set((of) => ({ attempts: of('attempts', '+', 1) }))
    .where('id', '=', resolving.select('id').forUpdate().skipLocked())
    .execute();
  logWaiting(log, round, { why, attempts: round.attempts + 1, tryAfter });
  return { kind: 'waits', why, tryAfter };
}

/** The market's answer, or its sentence where it is unavailable. */
export async function orProblem<Found>(ask: () => Promise<Found>): Promise<Found | { problem: string }> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof MarketUnavailable) return { problem: error.message };
    throw error;
  }
}

/**
 * Judges a round in any state by the market's candles; writes nothing. The decision counts only where the verdict has no
 * problem. Throws `MarketUnavailable`.
 */
export async function judge(
  { newEm, market }: Pick<ResolutionDeps, 'newEm' | 'market'>,
  round: Round,
  now: Date,
): Promise<{ verdict: HourVerdict; decision: Decision }> {
  const { id: roundId } = round;
  const evidence = (await readEvidence(newEm(), [{ roundId, points: [] }])).get(roundId);
  if (evidence === undefined) throw new Error(`A round must be stored to be decided (got ${roundId}).`);
  const { question } = evidence;
  const { assets: needed, hourBefore } = candlesNeeded(question);
  const before = addHours(round.startTime, -1);
  const verdict = await market.decide(needed, hourBefore ? [before, round.startTime] : [round.startTime], now);
  if (verdict.problem !== null) return { verdict, decision: { outcome: null, voidReason: verdict.problem } };
  const outcome = outcomeOf(question, byAssetOf(verdict, round.startTime), byAssetOf(verdict, before));
  const decision: Decision =
    outcome.kind === 'answer'
      ? { outcome: outcome.answer, voidReason: null }
      : { outcome: null, voidReason: outcome.reason };
  return { verdict, decision };
}

function byAssetOf({ candles }: HourVerdict, hourStart: Date): HistoryHour {
  const ofHour = candles.filter((candle) => candle.hourStart.getTime() === hourStart.getTime());
  return Object.fromEntries(ofHour.map((candle) => [candle.asset, candle]));
}

/** The log of rounds; each line is written after the commit that it reports. */
export interface RoundLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  debug(fields: object, message: string): void;
}

type Hour = Pick<Round, 'id' | 'startTime'>;

export function logFields({ id, startTime }: Hour): { readonly roundId: number; readonly hour: string } {
  return { roundId: id, hour: startTime.toISOString() };
}

type DecisionSummary = { readonly entries: number; readonly decidedAt: Date } & (
  | { readonly outcome: string }
  /** `why`: the operator's sentence, or what the last try found. */
  | { readonly voidReason: VoidReason; readonly why: string | null }
);

export function logDecided(log: RoundLog, round: Hour & Pick<Round, 'endTime'>, decided: DecisionSummary): void {
  const { decidedAt, ...more } = decided;
  const secondsAfterHour = (decidedAt.getTime() - round.endTime.getTime()) / SECOND;
  const fields = { ...logFields(round), ...more, secondsAfterHour };
  if ('outcome' in decided) log.info(fields, 'Round resolved');
  else log.warn(fields, 'Round void');
}

/** Logs why a round waits: at `info` where the reason is new, else at `debug`, since tries are seconds apart. */
function logWaiting(
  log: RoundLog,
  round: Hour & Pick<Round, 'lastProblem'>,
  { why, ...more }: { readonly why: string; readonly attempts: number; readonly tryAfter: Date },
): void {
  log[round.lastProblem === why ? 'debug' : 'info']({ ...logFields(round), why, ...more }, 'Round waits');
}
