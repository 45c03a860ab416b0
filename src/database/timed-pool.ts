import { connect as openSocket } from 'node:net';

import { Client, Pool, type PoolClient } from 'pg';

import { callAfter, DeadlineExceeded } from '../deadline.ts';
import { pendingWork } from '../in-flight.ts';
import { SECOND } from '../rules/hours.ts';
import type { DatabaseConnection } from './connection.ts';
import { codeOf, READ_ONLY } from './failures.ts';
import { poolConfig, type Session } from './session.ts';

/** A database that has not stopped a statement so long after it should have says nothing any more. */
const SILENCE_MS = SECOND;

export interface PoolUse {
  readonly inUse: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

/** A callback of pg's. */
type Done<Result> = (error: Error | null, result: Result) => void;

/**
 * Connections that nobody waits for longer than he likes, nor for their answers. A database that is frozen answers nothing and
 * refuses nothing.
 */
export interface TimedPool {
  /** How long a caller without a deadline waits, in real milliseconds: longer than a statement may take. */
  readonly defaultMs: number;
  /** A connection, which `release` gives back; one that comes later than in `ms` goes straight back. */
  readonly take: (ms: number) => Promise<PoolClient>;
  /** What `send` is answered on the connection, which is cut where that takes longer than `ms`: it may have been done all the same. */
  readonly ask: <Result>(client: PoolClient, ms: number, send: (done: Done<Result>) => void) => Promise<Result>;
  readonly use: () => PoolUse;
  /** Calls `listener` after each connection that has ended, whoever ended it. */
  readonly onConnectionLost: (listener: () => void) => void;
  readonly end: () => Promise<void>;
}

/** A pool of at most `connections` connections; nothing connects yet. */
export function openPool(address: DatabaseConnection, connections: number, session: Session = {}): TimedPool {
  const { statementMs = Infinity } = session;
  return timedPool(new Pool(poolConfig(address, connections, session)), statementMs + SILENCE_MS);
}

export function timedPool(pool: Pool, defaultMs = Infinity): TimedPool {
  const connecting = pendingWork();
  // Whoever uses a connection learns of its end all the same; an error without a listener would end the process.
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
          cut(client);
        });
        send((error, result) => {
          stop();
          // The server takes no writes any more; another one may by now, which the next connection finds.
          if (codeOf(error) === READ_ONLY && client instanceof Client) void client.end();
          if (!error) resolve(result);
          else if (isLate)
            reject(new DeadlineExceeded('The deadline passed before the database responded', { cause: error }));
          else reject(error);
        });
      }),
    use() {
      const { totalCount, idleCount, waitingCount } = pool;
      return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
    },
    onConnectionLost: (listener) => void pool.on('remove', listener),
    async end() {
      // pg loses a connection that is still being opened, and then waits for it for ever.
      await connecting.settled();
      await pool.end();
    },
  };
}

/** How long, in real milliseconds, PostgreSQL has to take a request that it ends what a connection waits for. */
const CANCEL_MS = SECOND;

/**
 * Ends a connection at once, and what PostgreSQL does on it: a backend that waits, such as for a standby, does not see
 * that its connection is gone, and the next one would be added to it. By itself a connection that pipelines would wait
 * for the answers that are still to come.
 */
function cut(client: PoolClient): void {
  if (!(client instanceof Client)) return;
  void client.end();
  client.connection.stream.destroy();
  cancel(client);
}

/** The protocol's code for a request to cancel, in place of its version. */
const CANCEL_REQUEST = 80_877_102;

/** On a connection of its own, as the protocol has it; PostgreSQL takes it also where it takes no more connections. */
function cancel(client: Client): void {
  const backend: unknown[] = [Reflect.get(client, 'processID'), Reflect.get(client, 'secretKey')];
  if (!backend.every((part) => typeof part === 'number')) return;
  const message = new DataView(new ArrayBuffer(16));
  for (const [place, word] of [message.byteLength, CANCEL_REQUEST, ...backend].entries())
    message.setInt32(4 * place, word);
  const { host, port } = client;
  const socket = openSocket(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.setTimeout(CANCEL_MS, () => socket.destroy());
  // Who cannot be reached ends nothing, and the caller has its answer.
  socket.on('error', () => {});
  socket.end(new Uint8Array(message.buffer));
}
