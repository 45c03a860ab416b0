import { Client, type PoolClient, type QueryArrayResult } from 'pg';

import { msLeft } from '../deadline.ts';
import { codeOf } from './failures.ts';
import type { TimedPool } from './timed-pool.ts';

/** The SQL of a hot path, with `$1` for values. `Row` says what a row holds, a value for each column in their order. */
export interface Statement<Row extends unknown[]> {
  /** By what a connection knows the statement once it was parsed there; null: it is parsed each time. */
  readonly name: string | null;
  readonly text: string;
  /** Never set: it ties the type of the rows to the statement. */
  readonly row?: Row;
}

/**
 * In a statement of its own transaction: that is answered when all that the statement has seen is as durable as the server
 * makes any commit, on its disk and on its synchronous standbys. The message makes the commit one that is waited for, and
 * the log is flushed in order. Every account may call it; who decodes the log passes the message over.
 */
export const DURABLE_SO_FAR = "pg_logical_emit_message(true, 'hourcast', '')::text";

/** PostgreSQL cuts what is longer, which could make two names one. */
const LONGEST_NAME = 63;

/**
 * A statement that PostgreSQL parses once a connection, and plans once where one plan is good for all values. A name
 * belongs to one text at a time. A connection keeps as many as there are names: texts made at run time take `null`, unless
 * the number of their names is bounded. On connections that pipeline a name keeps its text.
 */
export function statement<Row extends unknown[]>({ name, text }: Statement<Row>): Statement<Row> {
  if (name !== null && (name.length === 0 || name.length > LONGEST_NAME))
    throw new RangeError(`The name of a statement must have 1 to ${LONGEST_NAME} characters (got "${name}").`);
  return { name, text };
}

/** Runs statements on the connections of one pool, without a mapper or a query builder on the way. */
export interface Statements {
  /**
   * All rows, as arrays: `timestamptz` as `Date`, `numeric` as text, and `bigint` where it is beyond 2^53 - 1. Waits for a connection and for the
   * answer until the caller's deadline, then throws `DeadlineExceeded`: the statement may have been done all the same.
   * Rejects with pg's own errors, which src/database/failures.ts tells apart.
   */
  rows<Row extends unknown[]>(asked: Statement<Row>, values: readonly unknown[]): Promise<Row[]>;
}

type BoundStatement<Row extends unknown[]> = readonly [statement: Statement<Row>, values: readonly unknown[]];

export interface PoolStatements extends Statements {
  /**
   * Runs `second` right behind `first` on one connection, each as a transaction of its own; so no server that has crashed
   * in between answers both. Calls `onFirst` when the first is done. The rows of the first, when both are; rejects like
   * `rows` when either fails. In a pool that pipelines the second is sent before the first is answered.
   */
  inSuccession<Row extends unknown[]>(
    first: BoundStatement<Row>,
    second: BoundStatement<unknown[]>,
    onFirst: () => void,
  ): Promise<Row[]>;
}

/** What PostgreSQL says of a plan whose columns a migration has changed: on that connection it fails from then on. */
const OUTDATED_PLAN = '0A000';

export function statementsOn(pool: TimedPool): PoolStatements {
  const timeLeft = (): number => msLeft() ?? pool.defaultMs;
  const send = async <Row extends unknown[]>(
    client: PoolClient,
    [{ name, text }, values]: BoundStatement<Row>,
  ): Promise<Row[]> => {
    const { rows } = await pool.ask<QueryArrayResult<Row>>(client, timeLeft(), (done) => {
      if (name !== null) forgetOther(client, { name, text });
      const config = { ...(name === null ? {} : { name }), text, values: [...values], rowMode: 'array' as const };
      client.query<Row>(config, done);
    });
    return rows;
  };
  const lend = async <Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> => {
    const client = await pool.take(timeLeft());
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      client.release(codeOf(error) === OUTDATED_PLAN);
      throw error;
    }
  };
  return {
    rows: (asked, values) => lend((client) => send(client, [asked, values])),
    inSuccession: (first, second, onFirst) =>
      lend(async (client) => {
        const [rows, following] = inOnePacket(client, () => [send(client, first), send(client, second)] as const);
        // A connection goes back when nothing is in flight on it.
        const both = [rows.then(onFirst), following];
        await Promise.allSettled(both);
        await Promise.all(both);
        return rows;
      }),
  };
}

/**
 * Lets a connection forget another text that it knows by the name; pg would refuse this one. The message goes ahead of the
 * statement's own and cannot fail.
 */
function forgetOther(client: PoolClient, { name, text }: { readonly name: string; readonly text: string }): void {
  if (!(client instanceof Client)) return;
  const { connection } = client;
  const parsed: Record<string, string> = Reflect.get(connection, 'parsedStatements');
  if (parsed[name] === undefined || parsed[name] === text) return;
  delete parsed[name];
  Reflect.apply(Reflect.get(connection, 'close'), connection, [{ type: 'S', name }]);
}

/** One write wakes the server once. */
function inOnePacket<Sent>(client: PoolClient, send: () => Sent): Sent {
  const stream = client instanceof Client ? client.connection.stream : null;
  stream?.cork();
  try {
    return send();
  } finally {
    stream?.uncork();
  }
}
