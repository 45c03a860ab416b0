import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import type { Round } from '../entities/round.ts';
import type { RoundStatus, VoidReason } from '../rules/round-states.ts';
import type { NewEvent } from '../feed/event-log.ts';
import { difficultyOf, type TallyRow } from '../rules/crowd.ts';
import { inUnits, UNITS } from '../rules/payoffs.ts';
import { resolutionValue } from '../rules/questions/deciding.ts';
import { ANY_ASSET } from '../entities/tallies.ts';
import { eachWindow, windowed } from './standings/window-moves.ts';
import { rows } from '../reads/sql.ts';
import { PERIODS } from '../rules/windows.ts';

/** Any fixed number: it names resolution among PostgreSQL's advisory locks. */
const RESOLUTION_LOCK = 48_602;

/** The same of what is counted after decisions: those who count have it together, who amends a round has it alone. */
const COUNTING_LOCK = 48_603;

/** A round as it is once its row is locked, and what its decision builds on. */
export interface LockedRound {
  readonly status: RoundStatus;
  readonly entries: number;
  readonly newestResolvedEnd: Date | null;
  readonly decidedAt: Date;
}

/** Waits until no resolution is under way, and lets none in before the transaction ends. */
export async function lockResolutions(transaction: SqlEntityManager): Promise<void> {
  await rows(transaction)`select pg_advisory_xact_lock(${RESOLUTION_LOCK})`;
}

/** Counts what decisions have left while no round is amended. */
export async function counting<Result>(transaction: SqlEntityManager, count: () => Promise<Result>): Promise<Result> {
  await rows(transaction)`select pg_advisory_xact_lock_shared(${COUNTING_LOCK})`;
  return count();
}

/** Waits until nobody counts, and lets nobody begin before the transaction ends. */
export async function lockCounting(transaction: SqlEntityManager): Promise<void> {
  await rows(transaction)`select pg_advisory_xact_lock(${COUNTING_LOCK})`;
}

/**
 * Lets one resolution in at a time, since each builds on the totals that the one before left, and locks the round.
 * `decidedAt` is `now`, or later where `now` was read before the resolution that comes first: the rounds' times show
 * the order in which streaks and totals followed. Null when there is no such round.
 */
export async function lockRound(
  transaction: SqlEntityManager,
  roundId: number,
  now: Date,
): Promise<LockedRound | null> {
  await lockResolutions(transaction);
  const [found] = await rows<LockedRound>(transaction)`
    select r.status, r.total_entries as entries, p.newest_resolved_end as "newestResolvedEnd",
      greatest(${now}::timestamptz, p.boards_updated_at + interval '1 millisecond') as "decidedAt"
    from rounds r cross join platform p where r.id = ${roundId} for update of r`;
  return found ?? null;
}

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

/** Counts the whole field's tallies anew. */
export async function recountField(transaction: SqlEntityManager): Promise<void> {
  await rows(transaction)`delete from field_tallies`;
  const signs = PERIODS.map((period) => sql`${windowed(period)}::int as ${sql.ref(period)}`);
  await addFieldTallies(
    transaction,
    sql`select r.id as round_id, ${sql.join(signs)} from rounds r cross join platform p where r.status = 'resolved'`,
  );
}

/**
 * Adds to the whole field's tallies; `signs`: a table of rounds, which have their tallies and their outcomes already, and by how
 * much they count in each window.
 */
export async function addFieldTallies(transaction: SqlEntityManager, signs: RawBuilder<unknown>): Promise<void> {
  await rows(transaction)`
    with signs as (${signs}),
    change as (
      select a.asset, r.question_type, jsonb_array_length(r.choices) as choice_count, t.confidence,
        t.prediction = r.outcome as is_correct, ${eachWindow((period) => `sum(g.${period} * t.n) as ${period}`)}
      from signs g
      join rounds r on r.id = g.round_id
      join round_tallies t on t.round_id = r.id
      cross join lateral (
        select ${ANY_ASSET} as asset union all select asset from round_assets where round_id = r.id
      ) a
      group by 1, 2, 3, 4, 5
    )
    insert into field_tallies (asset, question_type, choice_count, confidence, is_correct, ${eachWindow((period) => `${period}_n`)})
    select asset, question_type, choice_count, confidence, is_correct,
      ${eachWindow((period) => `coalesce(f.${period}_n, 0) + c.${period}`)}
    from change c left join field_tallies f using (asset, question_type, choice_count, confidence, is_correct)
    on conflict (asset, question_type, choice_count, confidence, is_correct)
      do update set ${eachWindow((period) => `${period}_n = excluded.${period}_n`)}`;
}
