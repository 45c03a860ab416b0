import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { ANSWER_MS, EXPORT_LIMITS } from '../limits.ts';
import { within } from '../patience.ts';
import { DomainError } from '../rules/errors.ts';
import type { Row } from './column.ts';

/** Rows of a statement as they are asked for, some at a time. */
export type ReadRows = (statement: RawBuilder<Row>) => AsyncGenerator<readonly Row[]>;

/**
 * Reads over a cursor, which is closed when the reader stops. Each reader holds a connection, so only a few read at
 * once; one more is refused with `UNAVAILABLE`.
 */
export function rowReader(newEm: () => SqlEntityManager): ReadRows {
  let reading = 0;
  return async function* read(statement) {
    if (reading >= EXPORT_LIMITS.atOnce) {
      const message = `All ${EXPORT_LIMITS.atOnce} exports that may run at once are running; try again soon.`;
      throw new DomainError('UNAVAILABLE', message, { retryAfter: EXPORT_LIMITS.retryAfterSeconds });
    }
    reading += 1;
    try {
      yield* rowsOf(newEm(), statement);
    } finally {
      reading -= 1;
    }
  };
}

/** A cursor of SQL: the one of `pg-cursor` waits for ever when its connection is lost (node-postgres 2468, 2642). */
async function* rowsOf(em: SqlEntityManager, statement: RawBuilder<Row>): AsyncGenerator<readonly Row[]> {
  await within(ANSWER_MS, () => em.begin());
  try {
    const database = em.getKysely();
    await within(ANSWER_MS, async () => {
      await sql`set local idle_in_transaction_session_timeout = ${sql.lit(2 * EXPORT_LIMITS.idleMs)}`.execute(database);
      await sql`declare export_rows no scroll cursor for ${statement}`.execute(database);
    });
    const next = sql<Row>`fetch forward ${sql.lit(EXPORT_LIMITS.rowsAtOnce)} from export_rows`;
    for (;;) {
      const { rows } = await next.execute(database);
      if (rows.length === 0) return;
      yield rows;
    }
  } finally {
    await em.rollback();
  }
}
