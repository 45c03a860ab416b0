import { once } from 'node:events';
import { connect as openSocket } from 'node:net';

import { Client, Pool, type PoolClient } from 'pg';

import { callAfter, DeadlineExceeded, withTimeout } from '../deadline.ts';
import { pendingWork } from '../in-flight.ts';
import { SECOND } from '../rules/hours.ts';
import type { DatabaseConnection } from './connection.ts';
import { codeOf, READ_ONLY } from './failures.ts';
import { poolConfig, type Session } from './session.ts';

/** The grace after a statement timeout; then the database counts as unresponsive. */
const SILENCE_MS = SECOND;

export interface PoolUse {
  readonly inUse: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

type QueryCallback<Result> = (error: Error | null, result: Result) => void;

/** A pool with deadlines for connections and answers: a frozen database neither responds nor rejects. */
export interface TimedPool {
  /** The wait of a caller without a deadline, in real milliseconds: longer than a statement may take. */
  readonly defaultMs: number;
  /** A connection, to be given back by `release`; one that comes after `ms` is released at once. */
  readonly take: (ms: number) => Promise<PoolClient>;
  /** The answer to `send`. After `ms` the connection is cut, though the statement may have run. */
  readonly ask: <Result>(
    client: PoolClient,
    ms: number,
    send: (done: QueryCallback<Result>) => void,
  ) => Promise<Result>;
  readonly use: () => PoolUse;
  /** Calls `listener` after each connection that has ended. */
  readonly onConnectionLost: (listener: () => void) => void;
  readonly end: () => Promise<void>;
}

/** Connects on demand. */
export function openPool(address: DatabaseConnection, connections: number, session: Session = {}): TimedPool {
  const { statementMs = Infinity } = session;
  return timedPool(new Pool(poolConfig(address, connections, session)), statementMs + SILENCE_MS);
}

export function timedPool(pool: Pool, defaultMs = Infinity): TimedPool {
  const connecting = pendingWork();
  // An error without a listener would end the process; callers get their errors all the same.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  return {
    defaultMs,
    take: (ms) =>
      new Promise((resolve, reject) => {
        let isLate = false;
        const stop = callAfter(ms, () => {
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
        connecting.track(pool.connect()).then(taken, failed);
      }),
    ask: (client, ms, send) =>
      new Promise((resolve, reject) => {
        if (ms <= 0) throw new DeadlineExceeded('The deadline passed before the statement was sent');
        let isLate = false;
        const stop = callAfter(ms, () => {
          isLate = true;
          void cancel(client).then(() => cut(client));
        });
        send((error, result) => {
          stop();
          // The cancel request may have ended the statement: nobody may get this connection.
          if (isLate) cut(client);
          // The server became read-only; the next connection finds the new primary.
          if (codeOf(error) === READ_ONLY && client instanceof Client) void client.end();
          // A canceled commit that waited for a standby succeeds without it.
          if (isLate)
            reject(new DeadlineExceeded('The deadline passed before the database responded', { cause: error }));
          else if (error) reject(error);
          else resolve(result);
        });
      }),
    use() {
      const { totalCount, idleCount, waitingCount } = pool;
      return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
    },
    onConnectionLost: (listener) => void pool.on('remove', listener),
    async end() {
      // pg loses track of connections still being opened, and would wait forever.
      await connecting.settled();
      await pool.end();
    },
  };
}

function cut(client: PoolClient): void {
  if (!(client instanceof Client)) return;
  void client.end();
  client.connection.stream.destroy();
}

/** The longest wait for the server to take a cancel request, in real milliseconds: the caller's time is up already. */
const HEARD_MS = SECOND / 4;

/** Longer than the 10 s after which PgBouncer gives up a cancel request. */
const GIVEN_UP_MS = 15 * SECOND;

/** The protocol's code of a cancel request. */
const CANCEL_REQUEST = 80_877_102;

/**
 * Ends the backend's statement: a backend that waits, such as for a standby, does not notice a closed socket. Resolves once
 * the server has the request, since PgBouncer drops one whose connection has ended. The request has its own connection, as
 * the protocol requires; PostgreSQL accepts it beyond its connection limit. Never rejects.
 */
async function cancel(client: PoolClient): Promise<void> {
  if (!(client instanceof Client)) return;
  const backend: unknown[] = [Reflect.get(client, 'processID'), Reflect.get(client, 'secretKey')];
  if (!backend.every((part) => typeof part === 'number')) return;
  const message = new DataView(new ArrayBuffer(16));
  for (const [place, word] of [message.byteLength, CANCEL_REQUEST, ...backend].entries())
    message.setInt32(4 * place, word);
  const { host, port } = client;
  const socket = openSocket(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.unref().setTimeout(GIVEN_UP_MS, () => socket.destroy());
  const closed = once(socket, 'close');
  // The server ends it: PgBouncer may crash where a caller does.
  socket.write(new Uint8Array(message.buffer));
  // An unreachable server cancels nothing; the caller has its error all the same.
  await withTimeout(HEARD_MS, closed).catch(() => {});
}
