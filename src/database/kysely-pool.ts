import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { PoolClient } from 'pg';

import { msLeft } from '../deadline.ts';
import { madeOnceFor } from '../in-flight.ts';
import type { TimedPool } from './timed-pool.ts';

/** The pool for Kysely, and so for MikroORM, where callers wait at most until their deadline. */
export function kyselyPool(pool: TimedPool): PostgresPool {
  const lent = madeOnceFor((client: PoolClient) => kyselyClient(pool, client));
  return {
    connect: async () => lent(await pool.take(msLeft() ?? Infinity)),
    // Statements without a mapper share the pool; its opener ends it.
    end: async () => {},
    options: {},
  };
}

const BEGIN = /^(begin|start transaction)\b/;
const ROLLBACK = 'rollback';

/**
 * Returns its connection to the pool also when the database cut a transaction. Kysely never returns it when `begin` or
 * `rollback` fails (kysely issue 1990; remove this once that is fixed), so ten cut transactions would exhaust the pool.
 * Here the first statement of the transaction reports a failed `begin`, and a rollback never fails; pg drops broken
 * connections on return.
 */
export function kyselyClient(pool: Pick<TimedPool, 'ask'>, client: PoolClient): PostgresPoolClient {
  let unbegun: { readonly cause: unknown } | null = null;
  const execute = async (text: string, values: readonly unknown[]): Promise<unknown> => {
    try {
      if (unbegun !== null && text !== ROLLBACK) throw unbegun.cause;
      return await pool.ask(client, msLeft() ?? Infinity, (done) => client.query({ text, values: [...values] }, done));
    } catch (cause) {
      if (BEGIN.test(text)) unbegun = { cause };
      else if (text !== ROLLBACK) throw cause;
      return { command: '', rowCount: 0, rows: [] };
    } finally {
      if (text === ROLLBACK) unbegun = null;
    }
  };
  function query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  function query(text: unknown, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('The pool does not support cursors');
    return execute(text, values);
  }
  return { query, release: () => client.release() };
}
