import { addressOf, queryOf } from './address.ts';
import type { Call, CallOptions } from './call.ts';
import { ask, type Budget, type Connection } from './connection.ts';
import { type EventOptions, events } from './events.ts';
import { exportRows } from './exports.ts';
import type { Retry } from './patience.ts';
import { type Receipt, receiptOf } from './receipts.ts';
import { type Endpoints, endpoints, type Event, type Exports } from './reference.ts';
import { settingsOf } from './settings.ts';
import { hexOf } from './signatures.ts';

export interface ClientOptions {
  /** The service's address; default: `HOURCAST_URL`, then hourcast.json, then `http://127.0.0.1:3000`. */
  readonly url?: string | undefined;
  /**
   * The agent's key; default: `HOURCAST_KEY`, or the key that `register` stored for this address in the folder's hourcast.json.
   * Empty: no key, which suffices for all that is public.
   */
  readonly key?: string | undefined;
  /** Timeout of one try, in milliseconds; default: 10 s. */
  readonly timeoutMs?: number | undefined;
  /** Maximum time of a call's retries, in milliseconds; default: 60 s. 0: one try. */
  readonly patienceMs?: number | undefined;
  /** Called before each wait. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

/** A service's HTTP interface: a method for each endpoint, the live feed and the exports. */
export interface Client extends Endpoints {
  readonly url: string;
  /** Events in order, each once, until the signal is aborted. Resumes by itself after every break. */
  events(options?: EventOptions): AsyncGenerator<Event, void, undefined>;
  /** All rows of an export; resumes behind the last row if the stream breaks. */
  export<Name extends keyof Exports>(
    name: Name,
    filters?: Exports[Name]['filters'],
    options?: { readonly signal?: AbortSignal | undefined },
  ): AsyncGenerator<Exports[Name]['row'], void, undefined>;
  /** Your prediction's leaf in the log, with `verify`. */
  receipt(predictionId: number, options?: CallOptions): Promise<Receipt>;
  /** The last known remainder of each budget, by method and path; empty if nothing is counted. */
  budgets(): ReadonlyMap<string, Budget>;
}

const SECOND = 1000;

/** Sends nothing before the first call. Throws for an invalid address or key. */
export function createClient(options: ClientOptions = {}): Client {
  const connection = connectionOf(options);
  const all = endpoints(callOver(connection));
  return {
    ...all,
    receipt: async (predictionId, callOptions) =>
      receiptOf(await all.myReceipt({ prediction_id: predictionId }, callOptions), async () =>
        (await all.serviceKeys(callOptions)).keys.map(({ verifier }) => verifier),
      ),
    url: connection.url,
    events: (eventOptions) => events(connection, eventOptions),
    export: (name, filters, exportOptions) => exportRows(connection, { name, filters, ...exportOptions }),
    budgets: () => connection.budgets,
  };
}

/** The shared state of a client's calls. */
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
    // One key for all tries of a call, so the service executes it once.
    const idempotencyKey = takesIdempotencyKey ? (typeof given === 'string' ? given : newKey()) : undefined;
    const isAsked = ([name]: readonly [string, unknown]) => method === 'GET' || inQuery.includes(name);
    const [query = [], body = []] = [true, false].map((one) =>
      Object.entries(fields).filter((field) => isAsked(field) === one),
    );
    const request = {
      method,
      path: path + queryOf(Object.fromEntries(query)),
      endpoint: `${method} ${endpoint.path}`,
      headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
      body: method === 'GET' ? undefined : JSON.stringify(Object.fromEntries(body)),
      repeatable: method !== 'POST' || takesIdempotencyKey,
      signal,
    };
    return ask(connection, request, async (response) => {
      const text = await response.text();
      const leafHash = response.headers.get('hourcast-leaf');
      const answer = isText ? text : JSON.parse(text);
      return leafHash === null ? answer : { ...answer, leaf_hash: leafHash };
    });
  };
}

function newKey(): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(16)));
}
