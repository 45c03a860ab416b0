import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { Round } from '../../entities/round.ts';
import type { DB } from '../../entities/tables.ts';
import type { VoidReason } from '../../rules/round-states.ts';
import type { NewEvent } from '../../feed/event-log.ts';
import { difficultyOf, type TallyRow } from '../../rules/crowd.ts';
import type { HourVerdict } from '../../market/market.ts';
import { type References, UNITS, unitsOf } from '../../rules/payoffs.ts';
import type { LogDeps } from '../../transparency/append.ts';
import { appendDecision } from '../../transparency/record-digests.ts';
import { resolutionValue } from '../../rules/questions/deciding.ts';

export type Decision =
  | { readonly outcome: string; readonly voidReason: null }
  | { readonly outcome: null; readonly voidReason: VoidReason };

export async function storeDecision(
  transaction: SqlEntityManager,
  round: Round,
  {
    outcome,
    voidReason,
    ...decided
  }: Decision & {
    readonly decidedAt: Date;
    readonly voidNote?: string | null;
    /** Unset for a round that ends void. */
    readonly tally?: readonly TallyRow[];
  },
): Promise<void> {
  const value = outcome === null ? null : resolutionValue(round, outcome);
  const difficulty = outcome === null ? null : difficultyOf(decided.tally ?? [], outcome);
  await transaction
    .getKysely<DB>()
    .updateTable('rounds')
    .set({ status: outcome === null ? 'void' : 'resolved', outcome, resolution_value: value, try_after: null })
    .set({ void_reason: voidReason, void_note: decided.voidNote ?? null, decided_at: decided.decidedAt })
    .set({ difficulty_millionths: unitsOf(difficulty, UNITS.difficulty) })
    .where('id', '=', round.id)
    .execute();
}

/** Ends a round without an outcome: no agent's totals, streak or P&L change. Returns the event that announces it. */
export async function endVoid(
  transaction: SqlEntityManager,
  round: Round,
  { voidReason, deps, ...decided }: { voidReason: VoidReason; decidedAt: Date; voidNote?: string; deps: LogDeps },
): Promise<NewEvent> {
  await storeDecision(transaction, round, { outcome: null, voidReason, ...decided });
  await tallyRound(transaction, round.id);
  const checkpoint = await appendDecision(transaction, deps, { roundId: round.id, at: decided.decidedAt });
  await addToTotals(transaction, round, null);
  return { kind: 'ROUND_VOID', roundId: round.id, payload: { reason: voidReason, checkpoint } };
}

/** Adds the round's predictions to the platform's totals; `resolvedAt` is null for a void round, which changes no board. */
export async function addToTotals(transaction: SqlEntityManager, round: Round, resolvedAt: Date | null): Promise<void> {
  const totals = transaction
    .getKysely<DB>()
    .updateTable('platform as p')
    .from('rounds as r')
    .where('p.id', '=', 1)
    .where('r.id', '=', round.id)
    .set((of) => ({
      decided_predictions: of('p.decided_predictions', '+', of.ref('r.total_entries')),
      decided_confidence_sum: of('p.decided_confidence_sum', '+', of.ref('r.confidence_sum')),
    }));
  if (resolvedAt === null) return void (await totals.execute());
  const withBoards = totals.set((of) => ({
    resolved_rounds: of('p.resolved_rounds', '+', 1),
    newest_resolved_end: of.fn<Date>('greatest', ['p.newest_resolved_end', of.val(round.endTime)]),
    boards_updated_at: resolvedAt,
  }));
  await withBoards.execute();
}

/** Counts the answers of a round that ends void, without standing predictions. */
async function tallyRound(transaction: SqlEntityManager, roundId: number): Promise<void> {
  const alike = ['round_id', 'prediction', 'confidence'] as const;
  await transaction
    .getKysely<DB>()
    .insertInto('round_tallies')
    .columns([...alike, 'n'])
    .expression((from) =>
      from
        .selectFrom('predictions')
        .select(({ fn }) => [...alike, fn.countAll().as('n')])
        .where('round_id', '=', roundId)
        .where((of) => of.not('standing'))
        .groupBy(alike),
    )
    .execute();
}

export interface AmendedDecision {
  readonly decision: Decision;
  readonly reason: string;
  /** The candles that decided it; null where an operator did. */
  readonly verdict: HourVerdict | null;
  readonly references: References;
  readonly amendedAt: Date;
  readonly events: readonly NewEvent[];
}

/** An amendment with its corrections of scores. */
export interface StoredAmendment {
  readonly roundId: number;
  readonly amendmentId: number;
  /** True if its round had no scores before. */
  readonly isFirst: boolean;
}

export type AmendableRound = Round & { readonly decidedAt: Date };

/** Stores an amendment's decision with the round, whose place in the order of decisions, which streaks follow, stays. */
export async function storeAmendedDecision(
  transaction: SqlEntityManager,
  round: AmendableRound,
  { decision, reason, verdict, amendedAt, tally }: AmendedDecision & { readonly tally: readonly TallyRow[] },
): Promise<void> {
  const { outcome, voidReason } = decision;
  const voidNote = voidReason !== null && verdict === null ? reason : null;
  await storeDecision(transaction, round, { ...decision, voidNote, tally, decidedAt: round.decidedAt });
  const tables = transaction.getKysely<DB>();
  const resolved = tables.selectFrom('rounds').where('status', '=', 'resolved');
  await tables
    .updateTable('platform')
    .set((of) => ({
      boards_updated_at: amendedAt,
      ordered_rounds: null,
      resolved_rounds: of('resolved_rounds', '+', Number(outcome !== null) - Number(round.status === 'resolved')),
      newest_resolved_end: resolved.select('end_time').orderBy('start_time', 'desc').limit(1),
    }))
    .where('id', '=', 1)
    .execute();
  // Without a resolved round nothing would replace what was made after the last one.
  const newest = tables.selectFrom('platform').select('newest_resolved_end');
  for (const table of ['ordered_boards', 'recent_points', 'kind_boards'] as const)
    await tables.deleteFrom(table).where(newest, 'is', null).execute();
  await tables.updateTable('platform').set({ skilled: null }).where('newest_resolved_end', 'is', null).execute();
}
