import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { Round } from '../../entities/round.ts';
import type { VoidReason } from '../../rules/round-states.ts';
import type { NewEvent } from '../../feed/event-log.ts';
import { difficultyOf, type TallyRow } from '../../rules/crowd.ts';
import type { HourVerdict } from '../../market/market.ts';
import { inUnits, type References, UNITS } from '../../rules/payoffs.ts';
import { resolutionValue } from '../../rules/questions/deciding.ts';
import { rows } from '../../reads/sql.ts';

/**
 * Notes with a round that a try did not decide it. Whoever holds the row is about to decide it, or to note a try: it
 * is not waited for.
 */
export async function noteTry(
  em: SqlEntityManager,
  roundId: number,
  tried: { readonly now: Date; readonly since: Date; readonly why: string; readonly tryAfter: Date },
): Promise<void> {
  await rows(em)`
    update rounds set attempts = attempts + 1, trying_since = ${tried.since}, last_tried_at = ${tried.now},
      last_problem = ${tried.why}, try_after = ${tried.tryAfter}
    where id = (select id from rounds where id = ${roundId} and status = 'resolving' for update skip locked)`;
}

/** How a round ends: by the answer that has won, or void. */
export type Decision =
  | { readonly outcome: string; readonly voidReason: null }
  | { readonly outcome: null; readonly voidReason: VoidReason };

/** Writes a decision into the row of its round; nothing is tried of it any more. */
export async function decideRound(
  transaction: SqlEntityManager,
  round: Round,
  {
    outcome,
    voidReason,
    ...decided
  }: Decision & {
    readonly decidedAt: Date;
    readonly voidNote?: string | null;
    /** What the field answered; unset for a round that ends void. */
    readonly tally?: readonly TallyRow[];
  },
): Promise<void> {
  const value = outcome === null ? null : resolutionValue(round, outcome);
  const difficulty = outcome === null ? null : difficultyOf(decided.tally ?? [], outcome);
  await rows(transaction)`
    update rounds set status = ${outcome === null ? 'void' : 'resolved'}, outcome = ${outcome}, resolution_value = ${value},
      void_reason = ${voidReason}, void_note = ${decided.voidNote ?? null}, decided_at = ${decided.decidedAt},
      try_after = null, difficulty_millionths = ${difficulty === null ? null : inUnits(difficulty, UNITS.difficulty)}
    where id = ${round.id}`;
}

/** Ends a round without an outcome: nobody's totals, streak or P&L move. Returns the event that announces it. */
export async function endVoid(
  transaction: SqlEntityManager,
  round: Round,
  { voidReason, ...decided }: { voidReason: VoidReason; decidedAt: Date; voidNote?: string },
): Promise<NewEvent> {
  await decideRound(transaction, round, { outcome: null, voidReason, ...decided });
  await tallyRound(transaction, round.id);
  await addToTotals(transaction, round, null);
  return { kind: 'ROUND_VOID', roundId: round.id, payload: { reason: voidReason } };
}

/** Moves the round's predictions to the platform's totals; `resolvedAt` is null for a void round, which moves no board. */
export async function addToTotals(transaction: SqlEntityManager, round: Round, resolvedAt: Date | null): Promise<void> {
  const resolved = resolvedAt === null ? 0 : 1;
  const newestEnd = resolvedAt === null ? null : round.endTime;
  await rows(transaction)`
    update platform p
    set decided_predictions = p.decided_predictions + r.total_entries,
      decided_confidence_sum = p.decided_confidence_sum + r.confidence_sum,
      resolved_rounds = p.resolved_rounds + ${resolved},
      newest_resolved_end = greatest(p.newest_resolved_end, ${newestEnd}::timestamptz),
      boards_updated_at = coalesce(${resolvedAt}::timestamptz, p.boards_updated_at)
    from rounds r where p.id = 1 and r.id = ${round.id}`;
}

/** Counts what a round that ends void was answered, but for what was standing: the crowd's figures. */
async function tallyRound(transaction: SqlEntityManager, roundId: number): Promise<void> {
  await rows(transaction)`
    insert into round_tallies (round_id, prediction, confidence, n)
    select round_id, prediction, confidence, count(*) from predictions where round_id = ${roundId} and not standing
    group by round_id, prediction, confidence`;
}

/** The same of a round whose predictions are counted already. */
export async function storeTally(
  transaction: SqlEntityManager,
  roundId: number,
  tally: readonly TallyRow[],
): Promise<void> {
  await rows(transaction)`
    insert into round_tallies (round_id, prediction, confidence, n)
    select ${roundId}, answer, confidence, n
    from jsonb_to_recordset(${JSON.stringify(tally)}::jsonb) as t(answer text, confidence smallint, n int)`;
}

/** A decision beside the one that a round has. */
export interface SecondDecision {
  readonly decision: Decision;
  readonly reason: string;
  /** The candles that decided it; null where an operator did. */
  readonly verdict: HourVerdict | null;
  readonly references: References;
  readonly amendedAt: Date;
  readonly events: readonly NewEvent[];
}

export type DecidedRound = Round & { readonly decidedAt: Date };

/** Gives a round its second decision; its place in the order of decisions, which streaks follow, stays. */
export async function decideAgain(
  transaction: SqlEntityManager,
  round: DecidedRound,
  { decision, reason, verdict, amendedAt, tally }: SecondDecision & { readonly tally: readonly TallyRow[] },
): Promise<void> {
  const { outcome, voidReason } = decision;
  const voidNote = voidReason !== null && verdict === null ? reason : null;
  await decideRound(transaction, round, { ...decision, voidNote, tally, decidedAt: round.decidedAt });
  await rows(transaction)`
    update platform set boards_updated_at = ${amendedAt}, ordered_rounds = null,
      resolved_rounds = resolved_rounds + ${Number(outcome !== null) - Number(round.status === 'resolved')}::int,
      newest_resolved_end = (select max(end_time) from rounds where status = 'resolved')
    where id = 1`;
  // Without a resolved round nothing would replace what was made after the last one.
  for (const table of ['ordered_boards', 'recent_points', 'kind_boards'])
    await rows(transaction)`delete from ${sql.table(table)} where (select newest_resolved_end from platform) is null`;
  await rows(transaction)`update platform set skilled = null where newest_resolved_end is null`;
}
