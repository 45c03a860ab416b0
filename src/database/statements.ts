import { Client, type PoolClient, type QueryArrayResult } from 'pg';

import { msLeft } from '../deadline.ts';
import { codeOf } from './failures.ts';
import type { TimedPool } from './timed-pool.ts';

/** SQL with `$1` for values. `Row` is the tuple of a row's values. */
interface Statement<Row extends unknown[]> {
  /** The name of the prepared statement; null: not prepared. */
  readonly name: string | null;
  readonly text: string;
  /** Never set: carries the type of the rows. */
  readonly row?: Row;
}

/**
 * For a statement that is its own transaction: it returns once everything it saw is as durable as any commit, on disk
 * and on synchronous standbys. The message makes the commit a waited one, and the log is flushed in order. Every role
 * may call it; logical decoders skip the message.
 */
export const DURABLE_SO_FAR = "pg_logical_emit_message(true, 'hourcast', '')::text";

/** PostgreSQL truncates longer names, so that two could collide. */
const LONGEST_NAME = 63;

/**
 * A statement that PostgreSQL parses once per connection, and plans once if a generic plan suits. A name belongs to one
 * text at a time. Connections keep one statement per name, so texts made at run time use `null`, unless their names are
 * bounded.
 */
export function statement<Row extends unknown[]>({ name, text }: Statement<Row>): Statement<Row> {
  if (name !== null && (name.length === 0 || name.length > LONGEST_NAME))
    throw new RangeError(`The name of a statement must have 1 to ${LONGEST_NAME} characters (got "${name}").`);
  return { name, text };
}

/** Statements on the connections of one pool, without mapper or query builder. */
export interface Statements {
  /**
   * All rows, as arrays: `timestamptz` as `Date`, `numeric` and `bigint` beyond 2^53 - 1 as text. Throws
   * `DeadlineExceeded` after the caller's deadline, though the statement may have run. Rejects with pg's own errors,
   * which src/database/failures.ts classifies.
   */
  rows<Row extends unknown[]>(prepared: Statement<Row>, values: readonly unknown[]): Promise<Row[]>;
}

/** The error of a cached plan after a migration changed its columns; it persists on that connection. */
const OUTDATED_PLAN = '0A000';

export function statementsOn(pool: TimedPool): Statements {
  const timeLeft = (): number => msLeft() ?? pool.defaultMs;
  return {
    async rows<Row extends unknown[]>({ name, text }: Statement<Row>, values: readonly unknown[]): Promise<Row[]> {
      const client = await pool.take(timeLeft());
      try {
        const { rows } = await pool.ask<QueryArrayResult<Row>>(client, timeLeft(), (done) => {
          if (name !== null) forgetOther(client, { name, text });
          const config = { ...(name === null ? {} : { name }), text, values: [...values], rowMode: 'array' as const };
          client.query<Row>(config, done);
        });
        client.release();
        return rows;
      } catch (error) {
        client.release(codeOf(error) === OUTDATED_PLAN);
        throw error;
      }
    },
  };
}

/**
 * Closes a prepared statement of the same name and another text, which pg would reject. The close message is
 * sent before those of the statement, and closing cannot fail.
 */
function forgetOther(client: PoolClient, { name, text }: { readonly name: string; readonly text: string }): void {
  if (!(client instanceof Client)) return;
  const { connection } = client;
  const parsed: Record<string, string> = Reflect.get(connection, 'parsedStatements');
  if (parsed[name] === undefined || parsed[name] === text) return;
  delete parsed[name];
  Reflect.apply(Reflect.get(connection, 'close'), connection, [{ type: 'S', name }]);
}
