import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { freezePeriod, type FreezingDeps, periodsToFreeze } from '../boards/archives.ts';
import { DAYS } from '../ledger/sum-tables.ts';
import { followRounds } from '../ledger/following.ts';
import { storeKindSums } from '../ledger/kind-sums.ts';
import { orderBoards } from '../boards/ordered-boards.ts';
import { withPlannerHint } from '../../database/planner-hints.ts';
import type { DB } from '../../entities/tables.ts';
import { MINUTE_OF_PREDICTION } from '../../reads/crowd.ts';
import type { RoundLog } from './resolve-round.ts';
import { rebuildLedger } from '../ledger/rebuild.ts';
import { inCountingTransaction, lockFollowing } from '../ledger/locks.ts';
import { move } from '../ledger/move.ts';
import { ALL_TIME, movesBetween, SCORED_COLUMNS } from '../ledger/moves.ts';

interface AfterResolutionDeps extends FreezingDeps {
  /** Checked between boards, rounds and kinds: true ends the work, and the next call continues. */
  readonly isStopped?: () => boolean;
  readonly log?: RoundLog;
}

/**
 * Does the work that a decision does not wait for. That is crowd counts by minute, further sums, archives of complete
 * periods, and boards in every order with rank intervals. The database stores which work is due, so this may run twice or
 * concurrently, and a later call finishes interrupted work.
 */
export async function afterResolution(deps: AfterResolutionDeps, now: Date): Promise<void> {
  const { newEm, isStopped = () => false, log } = deps;
  await rebuildLedger(newEm, (table, rounds) => log?.info({ table, rounds }, 'Sums added up anew'));
  const uncounted = await uncountedRounds(newEm());
  for (const round of uncounted) {
    if (isStopped()) return;
    await inCountingTransaction(newEm, (transaction) => countRound(transaction, round, now));
  }
  for (const period of await periodsToFreeze(newEm(), now)) {
    if (isStopped()) return;
    await freezePeriod(deps, period, now);
  }
  await orderBoards(newEm, isStopped);
  await followRounds(newEm, isStopped);
  await storeKindSums(newEm, isStopped);
}

/** The statuses are literals, so that the planner can use the partial index of such rounds. */
function uncountedRounds(em: SqlEntityManager) {
  const rounds = em.getKysely<DB>().selectFrom('rounds as r').where('r.counted_at', 'is', null);
  const decided = rounds.where('r.status', 'in', [sql.lit<'resolved'>('resolved'), sql.lit<'void'>('void')]);
  return decided.select(SCORED_COLUMNS).select('r.status').orderBy('r.id').execute();
}

type UncountedRound = Awaited<ReturnType<typeof uncountedRounds>>[number];

/** Counts a round unless it is marked as counted. */
async function countRound(transaction: SqlEntityManager, round: UncountedRound, now: Date): Promise<void> {
  const { id, status } = round;
  await lockFollowing(transaction);
  const { numUpdatedRows } = await transaction
    .getKysely<DB>()
    .updateTable('rounds')
    .set({ counted_at: now })
    .where('id', '=', id)
    .where('counted_at', 'is', null)
    .where('status', '=', status)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await countMinutes(transaction, id);
  const moves = status === 'resolved' ? movesBetween([{ round, before: 0, after: ALL_TIME }]) : [];
  // The planner has no statistics of the round yet.
  await withPlannerHint(transaction, 'hashJoins', () => move(transaction, DAYS, moves));
}

/** Counts the predictions of each answer in each minute of a round. */
async function countMinutes(transaction: SqlEntityManager, roundId: number): Promise<void> {
  await transaction
    .getKysely<DB>()
    .insertInto('crowd_minutes')
    .columns(['round_id', 'minute', 'prediction', 'n', 'confidence_sum'])
    .expression((from) =>
      from
        .selectFrom('predictions as p')
        .innerJoin('rounds as r', 'r.id', 'p.round_id')
        .select(['p.round_id', MINUTE_OF_PREDICTION.as('minute'), 'p.prediction'])
        .select(({ fn }) => [fn.countAll().as('n'), fn.sum('p.confidence').as('confidence_sum')])
        .where('p.round_id', '=', roundId)
        .where((of) => of.not('p.standing'))
        .groupBy(['p.round_id', 'minute', 'p.prediction']),
    )
    .execute();
}
