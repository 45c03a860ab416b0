import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { MINUTE_OF_PREDICTION } from '../../reads/crowd.ts';

/** Counts how often each answer was given in each minute of a round. */
export async function countMinutes(transaction: SqlEntityManager, roundId: number): Promise<void> {
  await sql`
    insert into crowd_minutes (round_id, minute, prediction, n)
    select p.round_id, ${MINUTE_OF_PREDICTION}, p.prediction, count(*)
    from predictions p join rounds r on r.id = p.round_id where p.round_id = ${roundId}
    group by 1, 2, 3`.execute(transaction.getKysely());
}
