import { callbackify } from 'node:util';

import { Client } from 'pg';

import { SECOND } from '../rules/hours.ts';
import { READ_ONLY, reason } from './failures.ts';

/** How long, in real milliseconds, a server has to answer whether it takes writes: less than a pool waits for a connection. */
const ANSWER_MS = 2 * SECOND;

type Done = (error: Error | null) => void;

/** Where a server answers. */
interface Server {
  readonly host: string;
  readonly port: number;
}

/**
 * From now on each connection of this process whose host is a list, such as `one:5432,two:5432`, is opened to the server
 * of it that takes writes at that moment. Fails with what every server answered where none does.
 *
 * And each has a listener for its errors, from its beginning on. An error without one ends the process, and BullMQ begins
 * to listen to the connection of its notifications only when that has been opened: PostgreSQL may refuse it again in the
 * same breath. Whoever uses a connection learns of its end all the same.
 */
export function mindClients(): void {
  if ('isMinded' in Client.prototype) return;
  // It is called on the client at hand.
  // oxlint-disable-next-line typescript/unbound-method
  const connect: (done?: Done) => unknown = Client.prototype.connect;
  Object.assign(Client.prototype, {
    isMinded: true,
    connect(this: Client, done?: Done): unknown {
      this.on('error', () => {});
      if (!this.host.includes(',')) return connect.call(this, done);
      const open = async (): Promise<unknown> => connect.call(Object.assign(this, await primaryOf(this)));
      return done === undefined ? open() : callbackify(open)(done);
    },
  });
}

/** All are asked at once, so that a server which is gone without a word holds up nobody. */
async function primaryOf(client: Client): Promise<Server> {
  const asked = client.host.split(',').map((text) => writable(client, serverOf(text)));
  return Promise.any(asked).catch((cause: unknown) => {
    const reasons = cause instanceof AggregateError ? cause.errors.map(reason) : [];
    throw outOfReach(`No server of the database URL takes writes: ${reasons.join('; ')}`, cause);
  });
}

function outOfReach(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code: READ_ONLY });
}

/** One of the servers of a list. */
export function serverOf(text: string): Server {
  const end = text.lastIndexOf(':');
  return { host: text.slice(0, end).replace(/^\[(.*)\]$/, '$1'), port: Number(text.slice(end + 1)) };
}

/** The server, where it takes writes; rejects where it does not, or does not answer. */
async function writable({ user, password, database, ssl }: Client, server: Server): Promise<Server> {
  const login = { user, database, ssl, ...(password === null ? {} : { password }) };
  const asking = new Client({ ...server, ...login, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS });
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
