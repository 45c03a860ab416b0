import { connect as openSocket } from 'node:net';

import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { Client, type Pool, type PoolClient } from 'pg';

import { beforeDeadline, DeadlineExceeded, msLeft } from '../deadline.ts';
import type { PendingWork } from '../in-flight.ts';
import { SECOND } from '../rules/hours.ts';

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
      cut(client);
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

/** How long, in real milliseconds, PostgreSQL has to take a request that it ends what a connection waits for. */
const CANCEL_MS = SECOND;

/**
 * Ends a connection at once, and what PostgreSQL does on it: a backend that waits, such as for a standby, does not see
 * that its connection is gone, and the next one would be added to it. By itself a connection that pipelines would wait
 * for the answers that are still to come.
 */
export function cut(client: PoolClient): void {
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

const BEGIN = /^(begin|start transaction)\b/;
const ROLLBACK = 'rollback';

/**
 * Makes a transaction give its connection back to the pool also when the database cut it. Kysely keeps it for good when
 * `begin` or `rollback` fails (kysely issue 1990; without that issue this function goes): ten cut transactions would stand the service still, and one keeps a
 * stop waiting. So the transaction's first statement reports a failed `begin`, and a rollback never fails; pg drops
 * the connections that are broken when it gets them back.
 */
export async function returnWhenCut(connection: unknown): Promise<void> {
  if (!isConnection(connection)) throw new TypeError('MikroORM handed over something else than a connection of Kysely');
  const execute = connection.executeQuery.bind(connection);
  let unbegun: { readonly cause: unknown } | null = null;
  connection.executeQuery = async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    try {
      if (unbegun !== null && query.sql !== ROLLBACK) throw unbegun.cause;
      return await execute<Row>(query);
    } catch (cause) {
      if (BEGIN.test(query.sql)) unbegun = { cause };
      else if (query.sql !== ROLLBACK) throw cause;
      return { rows: [] };
    } finally {
      if (query.sql === ROLLBACK) unbegun = null;
    }
  };
}

function isConnection(value: unknown): value is DatabaseConnection {
  return typeof value === 'object' && value !== null && 'executeQuery' in value;
}
