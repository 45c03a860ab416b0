import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { freezePeriod, periodsToFreeze } from './after/archives.ts';
import { tallyDay } from './after/daily-tallies.ts';
import { countKinds } from './after/kinds.ts';
import { orderBoards } from './after/ordered-boards.ts';
import { makeUpForScores } from './forecast-scores.ts';
import { withPlannerHint } from './planner-hints.ts';
import { MINUTE_OF_PREDICTION } from '../reads/crowd.ts';
import { rows } from '../reads/sql.ts';

interface AfterResolutionDeps {
  readonly newEm: () => SqlEntityManager;
  /** Asked between rounds and between periods: true ends the work where it is, and the next call goes on. */
  readonly isStopped?: () => boolean;
}

/**
 * What follows from decided rounds and need not be done while they are decided: scores forecasts that a resolution has left,
 * counts the crowd by minutes and the field by days, freezes the boards of periods that are complete, makes the boards in
 * every order with their rank intervals, and counts and orders by question type and asset. What is to be done stands in the database, so it is safe
 * to run twice and at once, and what was left undone is made up for.
 */
export async function afterResolution(
  { newEm, isStopped = () => false }: AfterResolutionDeps,
  now: Date,
): Promise<void> {
  await makeUpForScores(newEm);
  for (const round of await uncounted(newEm())) {
    if (isStopped()) return;
    await newEm().transactional((transaction) => countRound(transaction, round, now));
  }
  for (const period of await periodsToFreeze(newEm(), now)) {
    if (isStopped()) return;
    await freezePeriod(newEm(), period, now);
  }
  await orderBoards({ newEm, isStopped });
  await countKinds({ newEm, isStopped });
}

interface Uncounted {
  readonly id: number;
}

async function uncounted(em: SqlEntityManager): Promise<readonly Uncounted[]> {
  return rows<Uncounted>(em)`
    select id from rounds
    where counted_at is null and status in ('resolved', 'void') order by id`;
}

/** Counts a round once: whoever marks it first counts it, and others find it marked. */
async function countRound(transaction: SqlEntityManager, { id }: Uncounted, now: Date): Promise<void> {
  const [marked] = await rows<{ status: string }>(transaction)`
    update rounds set counted_at = ${now} where id = ${id} and counted_at is null returning status`;
  if (marked === undefined) return;
  await countMinutes(transaction, id);
  // Joined whole: the planner does not know yet how many predictions the round has.
  if (marked.status === 'resolved') await withPlannerHint(transaction, 'hashJoins', () => tallyDay(transaction, id));
}

/** Counts how often each answer was given in each minute of a round. */
async function countMinutes(transaction: SqlEntityManager, roundId: number): Promise<void> {
  await sql`
    insert into crowd_minutes (round_id, minute, prediction, n)
    select p.round_id, ${MINUTE_OF_PREDICTION}, p.prediction, count(*)
    from predictions p join rounds r on r.id = p.round_id where p.round_id = ${roundId}
    group by 1, 2, 3`.execute(transaction.getKysely());
}
