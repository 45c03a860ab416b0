import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { freezePeriod, periodsToFreeze } from '../boards/archives.ts';
import { tallyDay } from '../ledger/daily-tallies.ts';
import { countKinds } from '../boards/kind-boards.ts';
import { type FollowingDeps, orderBoards } from '../boards/ordered-boards.ts';
import { makeUpForScores } from './forecast-scores.ts';
import { withPlannerHint } from '../planner-hints.ts';
import { MINUTE_OF_PREDICTION } from '../../reads/crowd.ts';
import { rows } from '../../reads/sql.ts';
import { counting } from '../ledger/locks.ts';

/**
 * What follows from decided rounds and need not be done while they are decided: scores forecasts that a resolution has left,
 * counts the crowd by minutes and the field by days, freezes the boards of periods that are complete, makes the boards in
 * every order with their rank intervals, and counts and orders by question type and asset. What is to be done stands in the database, so it is safe
 * to run twice and at once, and what was left undone is made up for.
 */
export async function afterResolution(
  { newEm, isStopped = () => false }: Pick<FollowingDeps, 'newEm'> & Partial<FollowingDeps>,
  now: Date,
): Promise<void> {
  await makeUpForScores(newEm);
  const uncounted = await rows<{ id: number }>(newEm())`
    select id from rounds
    where counted_at is null and status in ('resolved', 'void') order by id`;
  for (const { id } of uncounted) {
    if (isStopped()) return;
    await newEm().transactional((transaction) => counting(transaction, () => countRound(transaction, id, now)));
  }
  for (const period of await periodsToFreeze(newEm(), now)) {
    if (isStopped()) return;
    await freezePeriod(newEm(), period, now);
  }
  await orderBoards({ newEm, isStopped });
  await countKinds({ newEm, isStopped });
}

/** Counts a round once: whoever marks it first counts it, and others find it marked. */
async function countRound(transaction: SqlEntityManager, id: number, now: Date): Promise<void> {
  const [marked] = await rows<{ status: string }>(transaction)`
    update rounds set counted_at = ${now} where id = ${id} and counted_at is null returning status`;
  if (marked === undefined) return;
  await countMinutes(transaction, id);
  // Joined whole: the planner does not know yet how many predictions the round has.
  if (marked.status === 'resolved') await withPlannerHint(transaction, 'hashJoins', () => tallyDay(transaction, id));
}

/** Counts how often, and with how much confidence, each answer was given in each minute of a round. */
async function countMinutes(transaction: SqlEntityManager, roundId: number): Promise<void> {
  await rows(transaction)`
    insert into crowd_minutes (round_id, minute, prediction, n, confidence_sum)
    select p.round_id, ${MINUTE_OF_PREDICTION}, p.prediction, count(*), sum(p.confidence)
    from predictions p join rounds r on r.id = p.round_id where p.round_id = ${roundId} and not p.standing
    group by 1, 2, 3`;
}
