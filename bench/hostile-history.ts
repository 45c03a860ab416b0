import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { DatabaseConnection } from '../src/database/connection.ts';
import { openOrm } from '../src/database/orm.ts';
import { appendEvents, logBounds, type NewEvent } from '../src/feed/event-log.ts';
import { insertHistory, roundId } from '../test/support/many-rows.ts';

/** 300,000 predictions with scores and 600 events, and before them a year of 97 agents. */
const HISTORY = { agents: 2_500, rounds: 120, regulars: { agents: 97, rounds: 8_640 } } as const;

/**
 * Fills a running service's database with decided rounds of earlier years, and their events. Standings and boards stay empty,
 * since no reader here queries them. Returns the rounds' ids and the number of events.
 */
export async function fillHistory(
  connection: DatabaseConnection,
): Promise<{ readonly rounds: readonly number[]; readonly events: number }> {
  const orm = await openOrm(connection);
  try {
    const em: SqlEntityManager = orm.em.fork();
    await insertHistory(em, HISTORY);
    const rounds = Array.from({ length: HISTORY.rounds }, (_, index) => roundId(HISTORY.regulars.rounds + index + 1));
    await em.fork().transactional(async (transaction) => {
      const { rows } = await sql<{ at: Date }>`select max(at) as at from events`.execute(transaction.getKysely());
      await appendEvents(transaction, rows[0]?.at ?? new Date(), rounds.flatMap(eventsOf));
    });
    // PostgreSQL would otherwise write this during the measurement.
    await sql`vacuum analyze`.execute(em.getKysely());
    await sql`checkpoint`.execute(em.getKysely());
    return { rounds, events: (await logBounds(em.fork())).lastSeq };
  } finally {
    await orm.close(true);
  }
}

function eventsOf(round: number): readonly NewEvent[] {
  const isUp = round % 2 === 1;
  return [
    { kind: 'ROUND_STORED', roundId: round, payload: {} },
    { kind: 'ROUND_OPENED', roundId: round, payload: {} },
    { kind: 'ROUND_CLOSED', roundId: round, payload: {} },
    {
      kind: 'ROUND_RESOLVED',
      roundId: round,
      payload: { outcome: isUp ? 'YES' : 'NO', resolutionValue: isUp ? 1 : 0 },
    },
    { kind: 'LEADERBOARD_CHANGED', roundId: null, payload: { periods: ['daily', 'weekly', 'monthly', 'alltime'] } },
  ];
}
