import { Client, Pool, type PoolClient, type QueryArrayResult } from 'pg';

import { msLeft, DeadlineExceeded, sharedTimer } from '../deadline.ts';
import type { PendingWork } from '../in-flight.ts';
import { codeOf } from './failures.ts';

/** The SQL of a hot path, with `$1` for values. `Row` says what a row holds, a value for each column in their order. */
export interface Statement<Row extends unknown[]> {
  /** By what a connection knows the statement once it was parsed there; null: it is parsed each time. */
  readonly name: string | null;
  readonly text: string;
  /** Never set: it ties the type of the rows to the statement. */
  readonly row?: Row;
}

/** PostgreSQL cuts what is longer, which could make two names one. */
const LONGEST_NAME = 63;

/**
 * A statement that PostgreSQL parses once a connection, and plans once where one plan is good for all values. A name
 * belongs to one text. A connection forgets no name: texts made at run time take `null`, unless their number is bounded.
 */
export function statement<Row extends unknown[]>({ name, text }: Statement<Row>): Statement<Row> {
  if (name !== null && (name.length === 0 || name.length > LONGEST_NAME))
    throw new RangeError(`The name of a statement must have 1 to ${LONGEST_NAME} characters (got "${name}").`);
  return { name, text };
}

/** Runs statements on the connections of one pool, without a mapper or a query builder on the way. */
export interface Statements {
  /**
   * All rows, as arrays: `timestamptz` as `Date`, `bigint` and `numeric` as text. Waits for a connection and for the
   * answer until the caller's deadline, then throws `DeadlineExceeded`: the statement may have been done all the same.
   * Rejects with pg's own errors, which src/database/failures.ts tells apart.
   */
  rows<Row extends unknown[]>(asked: Statement<Row>, values: readonly unknown[]): Promise<Row[]>;
}

interface StatementsOptions {
  /** Learns of every connection that is being opened. */
  readonly connecting: PendingWork;
  /**
   * How long a caller without a deadline waits for a connection, and again for the answer, in real milliseconds;
   * unset: for ever.
   */
  readonly defaultMs?: number;
}

/** What PostgreSQL says of a plan whose columns a migration has changed: on that connection it fails from then on. */
const OUTDATED_PLAN = '0A000';

/** Statements on `pool`. One timer watches over all that are in flight, since nearly all of them end long before it. */
export function statementsOn(pool: Pool, { connecting, defaultMs = Infinity }: StatementsOptions): Statements {
  const after = sharedTimer();
  const timeLeft = (): number => msLeft() ?? defaultMs;
  return {
    async rows<Row extends unknown[]>({ name, text }: Statement<Row>, values: readonly unknown[]): Promise<Row[]> {
      const client = await take({ pool, connecting, after }, timeLeft());
      const left = timeLeft();
      const config = { ...(name === null ? {} : { name }), text, values, rowMode: 'array' } as const;
      if (left > 0) return ask<Row>(client, config, (late) => after(left, late));
      client.release();
      throw new DeadlineExceeded('The deadline passed before the statement was sent');
    },
  };
}

interface Connections extends Pick<StatementsOptions, 'connecting'> {
  readonly pool: Pool;
  readonly after: ReturnType<typeof sharedTimer>;
}

/** A connection; one that comes later than in `ms` goes straight back. */
function take({ pool, connecting, after }: Connections, ms: number): Promise<PoolClient> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const stop = after(ms, () => {
      isLate = true;
      reject(new DeadlineExceeded('The deadline passed before a connection was free'));
    });
    const taken = (client: PoolClient): void => {
      stop();
      if (isLate) client.release();
      else resolve(client);
    };
    const failed = (error: unknown): void => {
      stop();
      reject(error);
    };
    connecting.track(connect(pool)).then(taken, failed);
  });
}

/** The rows, from a connection that goes back to the pool; one for which `inTime` calls back is cut. */
function ask<Row extends unknown[]>(
  client: PoolClient,
  config: QueryConfig,
  inTime: (late: () => void) => () => void,
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const stop = inTime(() => {
      isLate = true;
      if (client instanceof Client) void client.end();
    });
    query<Row>(client, config, (error, result) => {
      stop();
      client.release(error !== null && codeOf(error) === OUTDATED_PLAN);
      if (!error) resolve(result.rows);
      else if (isLate)
        reject(new DeadlineExceeded('The deadline passed before the database responded', { cause: error }));
      else reject(error);
    });
  });
}

interface QueryConfig {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly rowMode: 'array';
}

/** pg's own, in place of the one that src/database/pool-deadline.ts gave the pool with a timer for each call. */
function connect(pool: Pool): Promise<PoolClient> {
  return Reflect.apply(Reflect.get(Pool.prototype, 'connect'), pool, []);
}

/** pg's own, in place of the one that src/database/pool-deadline.ts gave the client with a timer for each call. */
function query<Row extends unknown[]>(
  client: PoolClient,
  config: QueryConfig,
  done: (error: Error | null, result: QueryArrayResult<Row>) => void,
): void {
  Reflect.apply(Reflect.get(Client.prototype, 'query'), client, [config, done]);
}
