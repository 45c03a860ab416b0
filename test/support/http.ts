/** Only for what never comes. */
const TIMEOUT_MS = 120_000;

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly key?: string | undefined;
  readonly body?: object | undefined;
  readonly idempotencyKey?: string | null;
  readonly timeoutMs?: number;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // Bodies are whatever the service says: tests compare them whole, or check their shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** One request to a service of a process of its own; its answer has to be JSON. Rejects when none comes in time. */
export async function send(url: string, request: Request): Promise<Reply> {
  const { method, path, key, body, idempotencyKey, timeoutMs = TIMEOUT_MS } = request;
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey == null ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** What is no object has no fields. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value);
}
