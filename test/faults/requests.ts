import type { Answer } from './memory.ts';

const REQUEST_MS = 10_000;

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly key?: string;
  readonly body?: object;
  readonly idempotencyKey?: string | null;
}

/** One request. Status null when it was refused, cut in the middle or not answered in time: whether it was done is not known. */
export async function send(url: string, { method, path, key, body, idempotencyKey }: Request): Promise<Answer> {
  const began = performance.now();
  const latencyMs = (): number => performance.now() - began;
  try {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey == null ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    const answered: unknown = await response.json();
    const retryAfter = response.headers.get('retry-after');
    return { status: response.status, body: recordOf(answered), latencyMs: latencyMs(), retryAfter };
  } catch {
    return { status: null, body: {}, latencyMs: latencyMs() };
  }
}

/** What is no object has no fields. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value);
}
