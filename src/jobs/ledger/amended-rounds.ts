import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { AliasableExpression } from 'kysely';

import type { DB } from '../../entities/tables.ts';
import { FIRST_TIER } from '../../rules/tiers.ts';
import { DAYS, FIELD, WINDOWED_FOLLOW_UP } from './sum-tables.ts';
import { moveKindSums } from './kind-sums.ts';
import { lockFollowing } from './locks.ts';
import { move } from './move.ts';
import { ALL_TIME, type Move, movesBetween, placedRounds } from './moves.ts';
import { STREAKS_KEPT, streaksOf, type StreakTable, type TierChange } from './standing-statements.ts';
import { moveStandings } from './standings.ts';

/** Rounds that have left the ledger, and the windows that each was in before. */
type RemovedRounds = Awaited<ReturnType<typeof leaveLedger>>;

/**
 * Subtracts from all sums of scores what an amendment changes, before it changes scores or windows: the points of the amended
 * round, and of later ones by their streak bonuses. Only standings and the sums of kinds add up points, so the other tables
 * keep the later rounds.
 */
export async function leaveLedger(
  transaction: SqlEntityManager,
  { amended, rounds }: { readonly amended: number; readonly rounds: readonly number[] },
) {
  await lockFollowing(transaction);
  const before = await placedRounds(transaction, rounds);
  const leave = (ids: readonly number[], by: 'windows' | 'followUpWindows' | 'tallied'): readonly Move[] =>
    movesBetween(ids.flatMap((id) => before.get(id) ?? []).map((round) => ({ round, before: round[by], after: 0 })));
  await move(transaction, FIELD, leave([amended], 'windows'));
  for (const sumTable of WINDOWED_FOLLOW_UP) await move(transaction, sumTable, leave([amended], 'followUpWindows'));
  await move(transaction, DAYS, leave([amended], 'tallied'));
  await transaction.getKysely<DB>().updateTable('rounds').set({ kind_windows: 0 }).where('id', '=', amended).execute();
  await moveKindSums(transaction, rounds, -1);
  const tierChanges = await moveStandings(transaction, leave(rounds, 'windows'), STREAKS_KEPT);
  return { amended, rounds, before, tierChanges };
}

/**
 * Adds the rounds that left the ledger, with their new scores. Moves the other rounds whose windows the amendment changed.
 * Returns the tier changes. Follow-up work counts the round again.
 */
export async function enterLedger(
  transaction: SqlEntityManager,
  { amended, rounds, before, tierChanges }: RemovedRounds,
  streaks: AliasableExpression<StreakTable>,
): Promise<readonly TierChange[]> {
  const placed = await placedRounds(transaction, [...before.keys(), ...rounds]);
  const enter = (left: readonly number[]): readonly Move[] =>
    movesBetween(
      [...placed.values()].map((round) => {
        const { windows } = before.get(round.id) ?? { windows: ALL_TIME };
        return { round, before: left.includes(round.id) ? 0 : windows, after: round.windows };
      }),
    );
  await move(transaction, FIELD, enter([amended]));
  const own = placed.get(amended);
  if (own !== undefined) await move(transaction, DAYS, movesBetween([{ round: own, before: 0, after: own.tallied }]));
  await moveKindSums(transaction, rounds, 1);
  const entered = await moveStandings(transaction, enter(rounds), streaksOf(streaks));
  const changes = Map.groupBy([...tierChanges, ...entered], ({ agentId }) => agentId);
  return [...changes]
    .map(([agentId, all]) => ({ agentId, from: all[0]?.from ?? FIRST_TIER, to: all.at(-1)?.to ?? FIRST_TIER }))
    .filter(({ from, to }) => from !== to)
    .toSorted((one, other) => one.agentId - other.agentId);
}
