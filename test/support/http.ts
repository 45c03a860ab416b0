/** Only for hangs. */
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
  // Tests compare bodies whole, or check their shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** The answer of a service in another process must be JSON. Rejects after a timeout. */
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

/** Empty for values that are no objects. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value);
}
