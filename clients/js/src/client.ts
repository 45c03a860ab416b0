import { addressOf, queryOf } from './address.ts';
import type { Call } from './call.ts';
import { ask, type Budget, type Connection } from './connection.ts';
import { type EventOptions, events } from './events.ts';
import { exportRows } from './exports.ts';
import type { Retry } from './patience.ts';
import { type Endpoints, endpoints, type Event, type Exports } from './reference.ts';
import { settingsOf } from './settings.ts';

export interface ClientOptions {
  /** The service's address; unset: `HOURCAST_URL` of the environment, that of hourcast.json, or `http://127.0.0.1:3000`. */
  readonly url?: string | undefined;
  /**
   * The agent's key; unset: `HOURCAST_KEY` of the environment, or what `register` kept for this address in hourcast.json of the
   * folder. Empty: none, which is enough for all that is public.
   */
  readonly key?: string | undefined;
  /** How long one try may take, in milliseconds; unset: 10 s. */
  readonly timeoutMs?: number | undefined;
  /** How long a call goes on trying, in milliseconds; unset: 60 s. 0: one try. */
  readonly patienceMs?: number | undefined;
  /** Called before each wait. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

/** All that a service offers over HTTP: a method an endpoint, the live feed and the exports. */
export interface Client extends Endpoints {
  readonly url: string;
  /** What happens, in order and each event once, until its signal is aborted. Resumes by itself over every break. */
  events(options?: EventOptions): AsyncGenerator<Event, void, undefined>;
  /** The rows of an export, however many; goes on behind the last row where the stream breaks. */
  export<Name extends keyof Exports>(
    name: Name,
    filters?: Exports[Name]['filters'],
    options?: { readonly signal?: AbortSignal | undefined },
  ): AsyncGenerator<Exports[Name]['row'], void, undefined>;
  /** What each budget had left when the service last said so, by method and path; empty where nothing is counted. */
  budgets(): ReadonlyMap<string, Budget>;
}

const SECOND = 1000;

/** A client of the service at `url`. Nothing is sent before the first call. Throws for an address or a key that cannot be one. */
export function createClient(options: ClientOptions = {}): Client {
  const connection = connectionOf(options);
  return {
    ...endpoints(callOver(connection)),
    url: connection.url,
    events: (eventOptions) => events(connection, eventOptions),
    export: (name, filters, exportOptions) => exportRows(connection, { name, filters, ...exportOptions }),
    budgets: () => connection.budgets,
  };
}

/** What a client's calls have in common. */
export function connectionOf(options: ClientOptions): Connection {
  return {
    ...settingsOf(options),
    timeoutMs: options.timeoutMs ?? 10 * SECOND,
    patienceMs: options.patienceMs ?? 60 * SECOND,
    onRetry: options.onRetry,
    budgets: new Map(),
  };
}

function callOver(connection: Connection): Call {
  return (endpoint, parameters = {}, { signal } = {}) => {
    const { method, isText = false, takesIdempotencyKey = false, inQuery = [] } = endpoint;
    const { path, rest } = addressOf(endpoint.path, parameters);
    const { idempotency_key: given, ...fields } = rest;
    // One key for all tries of a call: the service then does it once, however often it is sent.
    const idempotencyKey = takesIdempotencyKey ? (typeof given === 'string' ? given : newKey()) : undefined;
    const isAsked = ([name]: readonly [string, unknown]) => method === 'GET' || inQuery.includes(name);
    const [query = [], body = []] = [true, false].map((one) =>
      Object.entries(fields).filter((field) => isAsked(field) === one),
    );
    const asked = {
      method,
      path: path + queryOf(Object.fromEntries(query)),
      endpoint: `${method} ${endpoint.path}`,
      headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
      body: method === 'GET' ? undefined : JSON.stringify(Object.fromEntries(body)),
      repeatable: method !== 'POST' || takesIdempotencyKey,
      signal,
    };
    return ask(connection, asked, async (response) => {
      const text = await response.text();
      return isText ? text : JSON.parse(text);
    });
  };
}

function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
