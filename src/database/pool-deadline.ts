import { Client, type Pool, type PoolClient } from 'pg';

import { beforeDeadline, msLeft, DeadlineExceeded } from '../deadline.ts';
import type { PendingWork } from '../in-flight.ts';

/**
 * Makes the pool's callers wait for a connection, and for each answer, no longer than their deadline. A database
 * that is frozen answers nothing and refuses nothing: a connection that is waited for too long is cut. `connecting`
 * learns of every connection that is being opened.
 */
export function keepInTime(pool: Pool, connecting: PendingWork): void {
  const connect = pool.connect.bind(pool);
  Object.assign(pool, {
    connect: () => beforeDeadline(connecting.track(connect()), (late: PoolClient) => late.release()),
  });
  pool.on('connect', cutWhenLate);
}

/** What reaches the database and is cut may have been done or not, as when a connection breaks. */
function cutWhenLate(client: PoolClient): void {
  const query = (text: string, values: unknown[]): Promise<unknown> =>
    Reflect.apply(Reflect.get(Client.prototype, 'query'), client, [text, values]);
  const ask = async (text: string, values: unknown[]): Promise<unknown> => {
    const left = msLeft();
    if (left === undefined) return query(text, values);
    if (left === 0) throw new DeadlineExceeded('The deadline passed before the statement was sent');
    let isCut = false;
    const timer = setTimeout(() => {
      isCut = true;
      if (client instanceof Client) void client.end();
    }, left);
    try {
      return await query(text, values);
    } catch (cause) {
      throw isCut ? new DeadlineExceeded('The deadline passed before the database responded', { cause }) : cause;
    } finally {
      clearTimeout(timer);
    }
  };
  Object.assign(client, { query: ask });
}
