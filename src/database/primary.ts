import { callbackify } from 'node:util';

import { Client } from 'pg';

import { SECOND } from '../rules/hours.ts';
import { READ_ONLY, reason } from './failures.ts';

/** The timeout, in real milliseconds, of a server's answer: shorter than a pool's wait for a connection. */
const SERVER_ANSWER_MS = 2 * SECOND;

type ConnectCallback = (error: Error | null) => void;

type Server = ReturnType<typeof serverOf>;

/**
 * Patches pg's `Client` in two ways. A connection to a list of hosts, such as `one:5432,two:5432`, opens to the current
 * primary; if there is none, it fails with the answer of each server. And each connection gets an error listener at
 * once: an error without one ends the process, and BullMQ adds its own only after the connection is open. Callers still
 * get their errors.
 */
export function patchClients(): void {
  if ('isPatched' in Client.prototype) return;
  // It is called on the client itself.
  // oxlint-disable-next-line typescript/unbound-method
  const connect: (done?: ConnectCallback) => unknown = Client.prototype.connect;
  Object.assign(Client.prototype, {
    isPatched: true,
    connect(this: Client, done?: ConnectCallback): unknown {
      this.on('error', () => {});
      if (!this.host.includes(',')) return connect.call(this, done);
      const open = async (): Promise<unknown> => connect.call(Object.assign(this, await primaryOf(this)));
      return done === undefined ? open() : callbackify(open)(done);
    },
  });
}

/** In parallel, so that an unreachable server does not delay the others. */
async function primaryOf(client: Client): Promise<Server> {
  const attempts = client.host.split(',').map((text) => writable(client, serverOf(text)));
  return Promise.any(attempts).catch((cause: unknown) => {
    throw outOfReach(`No server of the database URL takes writes: ${reason(cause)}`, cause);
  });
}

function outOfReach(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code: READ_ONLY });
}

/** A server of the list. */
export function serverOf(text: string) {
  const end = text.lastIndexOf(':');
  return { host: text.slice(0, end).replace(/^\[(.*)\]$/, '$1'), port: Number(text.slice(end + 1)) };
}

/** The server if it accepts writes; rejects if it does not, or does not respond. */
async function writable({ user, password, database, ssl }: Client, server: Server): Promise<Server> {
  const login = { user, database, ssl, ...(password === null ? {} : { password }) };
  const asking = new Client({
    ...server,
    ...login,
    connectionTimeoutMillis: SERVER_ANSWER_MS,
    query_timeout: SERVER_ANSWER_MS,
  });
  asking.on('error', () => {});
  try {
    await asking.connect();
    if (await takesWrites(asking)) return server;
    throw outOfReach(`${server.host} takes no writes`);
  } finally {
    void asking.end().catch(() => {});
  }
}

export async function takesWrites(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
  return rows[0]?.transaction_read_only === 'off';
}
