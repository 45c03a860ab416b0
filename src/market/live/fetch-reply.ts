import { hash } from 'node:crypto';

import { DAY, MINUTE, retryAfterMs, SECOND } from '../../rules/hours.ts';
import { type Origin, SourceFailure, USUAL_PAUSE_MS } from './source-failure.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

interface RequestSettings {
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly stopping: AbortSignal;
  readonly signal?: AbortSignal | undefined;
  readonly realNow: () => Date;
}

/** Several times the longest honest body, 290 candles of 200 bytes. */
const MAX_BYTES = 2 ** 18;
const LONGEST_PAUSE_MS = 30 * MINUTE;
const FARTHEST_MS = DAY;

/** Coinbase refuses requests without a user agent. */
const HEADERS = { accept: 'application/json', 'user-agent': 'hourcast' };
/** Rate limited, banned, or blocked here: asking again would not help. */
const LEAVE_ALONE: readonly number[] = [403, 418, 429, 451];
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;

/** Throws `SourceFailure` for anything but JSON in time. */
export async function fetchReply(url: string, settings: RequestSettings): Promise<{ body: unknown; origin: Origin }> {
  const ends = [AbortSignal.timeout(settings.timeoutMs), settings.stopping, settings.signal ?? []].flat();
  const signal = AbortSignal.any(ends);
  try {
    // Redirects are refused: another address is not this source.
    const response = await settings.fetch(url, { signal, redirect: 'error', headers: HEADERS });
    if (!response.ok) await refuse(response, settings.realNow());
    const sourceTime = sourceTimeOf(response, settings.realNow());
    if (!JSON_TYPE.test(response.headers.get('content-type') ?? '')) {
      await leave(response);
      throw new SourceFailure('broken', 'Its answer was not JSON.', {
        origin: { bodyHash: null, sourceTime },
      });
    }
    return readReply(await boundedBytes(response), sourceTime);
  } catch (error) {
    throw error instanceof SourceFailure ? error : silence(error, settings);
  }
}

async function refuse(response: Response, now: Date): Promise<never> {
  const { status } = response;
  await leave(response);
  const origin = { bodyHash: null, sourceTime: sourceTimeOf(response, now) };
  if (!LEAVE_ALONE.includes(status))
    throw new SourceFailure(status >= 500 ? 'broken' : 'refused', `It answered HTTP ${status}.`, { origin });
  const pauseMs = pauseOf(response.headers.get('retry-after'), now);
  throw new SourceFailure(
    'busy',
    `It answered HTTP ${status}: requests are paused for ${Math.ceil(pauseMs / SECOND)} s.`,
    { origin, pauseMs },
  );
}

/** Cancelling a broken body fails, which must not hide the status. */
async function leave(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => {});
}

/** `Retry-After` in real milliseconds; a default if it is absent or 0. */
function pauseOf(retryAfter: string | null, now: Date): number {
  const askedMs = retryAfterMs(retryAfter ?? '', now) ?? 0;
  return askedMs > 0 ? Math.min(askedMs, LONGEST_PAUSE_MS) : USUAL_PAUSE_MS;
}

async function boundedBytes(response: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.byteLength;
    if (length > MAX_BYTES) throw new SourceFailure('broken', `Its answer is longer than ${MAX_BYTES} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function readReply(bytes: Uint8Array, sourceTime: Date | null) {
  const origin = { bodyHash: hash('sha256', bytes), sourceTime };
  try {
    return { body: parseExactJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), origin };
  } catch (cause) {
    throw new SourceFailure('broken', 'Its answer is incomplete or invalid JSON.', { origin, cause });
  }
}

function silence(cause: unknown, { timeoutMs, stopping }: RequestSettings): SourceFailure {
  if (stopping.aborted)
    return new SourceFailure('silent', 'The request was cancelled: the service is stopping.', { cause });
  const isSlow = typeof cause === 'object' && cause !== null && 'name' in cause && cause.name === 'TimeoutError';
  return isSlow
    ? new SourceFailure('slow', `It did not answer within ${timeoutMs / SECOND} s.`, { cause })
    : new SourceFailure('silent', 'It could not be reached, or its answer broke off.', { cause });
}

function sourceTimeOf(response: Response, now: Date): Date | null {
  const time = new Date(response.headers.get('date') ?? Number.NaN);
  return Math.abs(time.getTime() - now.getTime()) <= FARTHEST_MS ? time : null;
}

/** Reads JSON with each number as its text, so that no digit is lost: `1e5` becomes `"1e5"`. Throws `SyntaxError` for invalid JSON. */
export function parseExactJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) => {
    if (typeof value !== 'number') return value;
    if (context?.source === undefined) throw new TypeError('this JavaScript engine does not show the text of a number');
    return context.source;
  });
}
