import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { freezePeriod, periodsToFreeze } from '../boards/archives.ts';
import { DAYS } from '../ledger/dimensions.ts';
import { followRounds } from '../ledger/following.ts';
import { storeKindSums } from '../ledger/kind-sums.ts';
import { type FollowingDeps, orderBoards } from '../boards/ordered-boards.ts';
import { makeUpForScores } from './forecast-scores.ts';
import { withPlannerHint } from '../planner-hints.ts';
import { MINUTE_OF_PREDICTION } from '../../reads/crowd.ts';
import { rows } from '../../reads/sql.ts';
import type { RoundStatus } from '../../rules/round-states.ts';
import type { RoundLog } from './resolve-round.ts';
import { rebuildLedger } from '../ledger/rebuild.ts';
import { counting, lockFollowing } from '../ledger/locks.ts';
import { move } from '../ledger/move.ts';
import { ALL_TIME, movesBetween, SCORED_ROUND, type ScoredRound } from '../ledger/moves.ts';

interface AfterDeps extends Pick<FollowingDeps, 'newEm'>, Partial<Pick<FollowingDeps, 'isStopped'>> {
  readonly log?: RoundLog;
}

/**
 * Does what a decision need not wait for: scores forecasts that a resolution has left, counts the crowd by minutes, moves
 * the sums that follow, freezes the boards of complete periods and makes the boards in every order with their rank
 * intervals. The database holds what is due, so it is safe to run twice and at once, and nothing left undone is lost.
 */
export async function afterResolution({ newEm, isStopped = () => false, log }: AfterDeps, now: Date): Promise<void> {
  await rebuildLedger(newEm, (table, rounds) => log?.info({ table, rounds }, 'Sums added up anew'));
  await makeUpForScores(newEm);
  const uncounted = await rows<UncountedRound>(newEm())`
    select ${SCORED_ROUND}, r.status from rounds r
    where counted_at is null and status in ('resolved', 'void') order by id`;
  for (const round of uncounted) {
    if (isStopped()) return;
    await newEm().transactional((transaction) => counting(transaction, () => countRound(transaction, round, now)));
  }
  for (const period of await periodsToFreeze(newEm(), now)) {
    if (isStopped()) return;
    await freezePeriod(newEm(), period, now);
  }
  await orderBoards({ newEm, isStopped });
  await followRounds(newEm, isStopped);
  await storeKindSums(newEm, isStopped);
}

interface UncountedRound extends ScoredRound {
  readonly status: RoundStatus;
}

/** Counts a round once: whoever marks it first counts it, and others find it marked. */
async function countRound(transaction: SqlEntityManager, round: UncountedRound, now: Date): Promise<void> {
  const { id, status } = round;
  await lockFollowing(transaction);
  const marked = await rows(transaction)`
    update rounds set counted_at = ${now} where id = ${id} and counted_at is null and status = ${status} returning id`;
  if (marked.length === 0) return;
  await countMinutes(transaction, id);
  const moves = status === 'resolved' ? movesBetween([{ round, before: 0, after: ALL_TIME }]) : [];
  // Joined whole: the planner does not know yet how many predictions the round has.
  await withPlannerHint(transaction, 'hashJoins', () => move(transaction, DAYS, moves));
}

/** Counts how often, and with how much confidence, each answer was given in each minute of a round. */
async function countMinutes(transaction: SqlEntityManager, roundId: number): Promise<void> {
  await rows(transaction)`
    insert into crowd_minutes (round_id, minute, prediction, n, confidence_sum)
    select p.round_id, ${MINUTE_OF_PREDICTION}, p.prediction, count(*), sum(p.confidence)
    from predictions p join rounds r on r.id = p.round_id where p.round_id = ${roundId} and not p.standing
    group by 1, 2, 3`;
}
