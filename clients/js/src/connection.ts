import { HourcastError, refusalOf } from './errors.ts';
import { patienceFor, type Retry } from './patience.ts';
import { proxyOf } from './proxy.ts';

/** The last known rest of a budget. */
export interface Budget {
  /** Requests in its window. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends. */
  readonly resetSeconds: number;
}

/** A service's address, and the retry settings. */
export interface Connection {
  readonly url: string;
  readonly key: string | undefined;
  readonly timeoutMs: number;
  readonly patienceMs: number;
  readonly onRetry: ((retry: Retry) => void) | undefined;
  /** By method and path of the endpoint. */
  readonly budgets: Map<string, Budget>;
}

export interface ClientRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** The key of its budget. */
  readonly endpoint: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Nothing was sent: even a call that must not be repeated may be retried. */
const NOT_SENT: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * Returns the result of `read` for a successful answer. Retries with growing pauses for `patienceMs`; calls that are not `repeatable`
 * only if the service has certainly not executed them. Throws `HourcastError`.
 */
export async function ask<Answer>(
  connection: Connection,
  request: ClientRequest & { readonly repeatable: boolean },
  read: (response: Response) => Promise<Answer>,
): Promise<Answer> {
  const patience = patienceFor({ ...connection, signal: request.signal });
  for (;;) {
    try {
      return await tryOnce(connection, request, read);
    } catch (error) {
      if (!request.repeatable && !isUndone(error)) throw error;
      await patience.wait(error);
    }
  }
}

/** The service has certainly not executed the call. */
function isUndone(error: unknown): boolean {
  if (!(error instanceof HourcastError)) return false;
  return error.status === 429 || (error.status === null && NOT_SENT.has(innermost(error).code));
}

async function tryOnce<Answer>(
  connection: Connection,
  request: ClientRequest,
  read: (response: Response) => Promise<Answer>,
): Promise<Answer> {
  const timeout = AbortSignal.timeout(connection.timeoutMs);
  const signal = request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout]);
  try {
    return await read(await open(connection, request, signal));
  } catch (error) {
    throw request.signal?.aborted ? request.signal.reason : failureOf(error, connection);
  }
}

/** A successful answer with an unread body. Throws a refusal as `HourcastError`, other errors as `fetch` does. */
export async function open(connection: Connection, request: ClientRequest, signal: AbortSignal): Promise<Response> {
  const { key, url, budgets } = connection;
  const response = await fetch(url + request.path, {
    method: request.method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(request.body === undefined ? {} : { body: request.body }),
    // The key is for this address alone.
    redirect: 'manual',
    signal,
  });
  noteBudget(budgets, request.endpoint, response.headers);
  if (response.ok) return response;
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    const elsewhere = response.headers.get('location') ?? 'another address';
    throw new HourcastError(`${url} redirects to ${elsewhere}: use the service's own address.`, {
      code: 'redirected',
    });
  }
  throw await refusalOf(response, url);
}

/** The error of a failed request. */
export function failureOf(cause: unknown, { url, timeoutMs }: Pick<Connection, 'url' | 'timeoutMs'>): unknown {
  if (cause instanceof HourcastError) return cause;
  if (cause instanceof DOMException && cause.name === 'TimeoutError') {
    const message = `${url} did not answer within ${timeoutMs / 1000} s.${proxyOf(url)}`;
    return new HourcastError(message, { code: 'timeout', cause });
  }
  if (cause instanceof SyntaxError) {
    return new HourcastError(`The answer of ${url} is not JSON.`, { code: 'unexpected_answer', cause });
  }
  const { code, message } = innermost(cause);
  const sentence = `${url} is out of reach (${code || message || 'no answer'}).${proxyOf(url)}`;
  return new HourcastError(sentence, { code: 'unreachable', cause });
}

/** The first cause, such as an error with the code `ECONNREFUSED`: Node nests it in the error of `fetch`. */
function innermost(error: unknown): { readonly code?: string; readonly message?: string } {
  const { cause } = Object(error);
  return cause === undefined ? Object(error) : innermost(cause);
}

function noteBudget(budgets: Map<string, Budget>, endpoint: string, headers: Headers): void {
  const values = ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`) ?? '');
  // A gateway's own headers may have other forms.
  if (!values.every((value) => /^\d+$/.test(value))) return;
  const [limit = 0, remaining = 0, resetSeconds = 0] = values.map(Number);
  budgets.set(endpoint, { limit, remaining, resetSeconds });
}
