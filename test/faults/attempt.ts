import { recordOf, type Request, send } from '../support/http.ts';
import type { Answer } from './memory.ts';

const TIMEOUT_MS = 10_000;

/** One request. Status null when it was refused, cut in the middle or not answered in time: whether it was done is not known. */
export async function attempt(url: string, request: Request): Promise<Answer> {
  const began = performance.now();
  const latencyMs = (): number => performance.now() - began;
  try {
    const { status, headers, body } = await send(url, { timeoutMs: TIMEOUT_MS, ...request });
    return { status, body: recordOf(body), latencyMs: latencyMs(), retryAfter: headers.get('retry-after') };
  } catch {
    return { status: null, body: {}, latencyMs: latencyMs() };
  }
}
