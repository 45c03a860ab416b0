import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { rows } from '../../reads/sql.ts';
import { withPlannerHint } from '../planner-hints.ts';
import { FOLLOWING } from './dimensions.ts';
import { counting, lockFollowing } from './locks.ts';
import { move } from './move.ts';
import { ALL_TIME, movesBetween, SCORED_ROUND, type ScoredRound, windowBits, windowed } from './moves.ts';

interface DueMove extends ScoredRound {
  /** Windows, as bits in the order of `PERIODS`. */
  readonly before: number;
  readonly after: number;
}

/** Moves each round, in the dimensions that a resolution does not wait for, into the windows that it lies in, and out of those that have moved on, in a transaction of its own. */
export async function followRounds(newEm: () => SqlEntityManager, isStopped: () => boolean): Promise<void> {
  for (const due of await dueMoves(newEm())) {
    if (isStopped()) return;
    await newEm().transactional((transaction) => counting(transaction, () => followRound(transaction, due)));
  }
}

/** The oldest first. A round that is counted for all time alone is due where the newest resolved round has become an older one. */
async function dueMoves(em: SqlEntityManager): Promise<readonly DueMove[]> {
  return rows<DueMove>(em)`
    select ${SCORED_ROUND}, r.kind_windows as before, w.after
    from rounds r cross join platform p cross join lateral (select ${windowBits()} as after) w
    where r.status = 'resolved' and (r.kind_windows <> ${ALL_TIME}::int or ${windowed('monthly')})
      and r.kind_windows <> w.after order by r.id`;
}

/** Moves a round once: another process finds it marked. */
async function followRound(transaction: SqlEntityManager, { before, after, ...round }: DueMove): Promise<void> {
  await lockFollowing(transaction);
  const marked = await rows(transaction)`
    update rounds set kind_windows = ${after} where id = ${round.id} and kind_windows = ${before} and status = 'resolved' returning id`;
  if (marked.length === 0) return;
  const moves = movesBetween([{ round, before, after }]);
  // Joined whole: the planner does not know yet how many predictions the round has.
  await withPlannerHint(transaction, 'hashJoins', async () => {
    for (const dimension of FOLLOWING) await move(transaction, dimension, moves);
  });
}
