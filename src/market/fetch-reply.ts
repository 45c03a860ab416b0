import { createHash } from 'node:crypto';
import { MINUTE, SECOND } from '../rules/hours.ts';
import { parseExactJson } from './exact-json.ts';
import { SourceFailure, type Origin } from './source-failure.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Reply {
  /** The JSON of the body, its numbers as text. */
  readonly body: unknown;
  readonly origin: Origin;
}

export interface RequestSettings {
  readonly fetch: Fetch;
  /** Real milliseconds for the whole answer, its body included. */
  readonly timeoutMs: number;
  /** Ends the request when the service stops. */
  readonly stopping: AbortSignal;
  readonly realNow: () => Date;
}

/** Several times the longest honest body, 1,000 candles of 200 bytes. */
const MOST_BYTES = 2 ** 20;
const USUAL_PAUSE_MS = 10 * SECOND;
const LONGEST_PAUSE_MS = 30 * MINUTE;

/** Coinbase refuses requests without a user agent. */
const HEADERS = { accept: 'application/json', 'user-agent': 'hourcast' };
/** Too many requests, banned, or not served from here: none of them gets better by asking on. */
const LEAVE_ALONE: readonly number[] = [403, 418, 429, 451];
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;

/** Asks for one JSON document. Throws `SourceFailure` on whatever else comes, or when nothing comes in time. */
export async function fetchReply(url: string, settings: RequestSettings): Promise<Reply> {
  const signal = AbortSignal.any([AbortSignal.timeout(settings.timeoutMs), settings.stopping]);
  try {
    // A body from another address is not this source's word: redirects are refused.
    const response = await settings.fetch(url, { signal, redirect: 'error', headers: HEADERS });
    if (!response.ok) await refuse(response, settings.realNow());
    const sourceTime = timeOf(response.headers.get('date'));
    if (!JSON_TYPE.test(response.headers.get('content-type') ?? '')) {
      await response.body?.cancel();
      throw new SourceFailure('broken', 'It answered with something else than JSON.', {
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
  await response.body?.cancel();
  const origin = { bodyHash: null, sourceTime: timeOf(response.headers.get('date')) };
  if (!LEAVE_ALONE.includes(status))
    throw new SourceFailure(status >= 500 ? 'broken' : 'refused', `It answered HTTP ${status}.`, { origin });
  const pauseMs = pauseOf(response.headers.get('retry-after'), now);
  throw new SourceFailure(
    'busy',
    `It answered HTTP ${status} and is left alone for ${Math.ceil(pauseMs / SECOND)} s.`,
    {
      origin,
      pauseMs,
    },
  );
}

/** `Retry-After` as real milliseconds: whole seconds or a date; a useful pause where it says nothing, or 0. */
function pauseOf(retryAfter: string | null, now: Date): number {
  const text = retryAfter?.trim() ?? '';
  const asked = /^\d+$/.test(text) ? Number(text) * SECOND : (timeOf(text)?.getTime() ?? 0) - now.getTime();
  return asked > 0 ? Math.min(asked, LONGEST_PAUSE_MS) : USUAL_PAUSE_MS;
}

async function boundedBytes(response: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.byteLength;
    if (length > MOST_BYTES) throw new SourceFailure('broken', `Its answer is longer than ${MOST_BYTES} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function readReply(bytes: Uint8Array, sourceTime: Date | null): Reply {
  const origin = { bodyHash: createHash('sha256').update(bytes).digest('hex'), sourceTime };
  try {
    return { body: parseExactJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), origin };
  } catch (cause) {
    throw new SourceFailure('broken', 'Its answer is no whole JSON.', { origin, cause });
  }
}

function silence(cause: unknown, { timeoutMs, stopping }: RequestSettings): SourceFailure {
  if (stopping.aborted) return new SourceFailure('silent', 'It was not waited for: the service stops.', { cause });
  const late = typeof cause === 'object' && cause !== null && 'name' in cause && cause.name === 'TimeoutError';
  const message = late
    ? `It did not answer within ${timeoutMs / SECOND} s.`
    : 'It could not be reached, or broke off its answer.';
  return new SourceFailure('silent', message, { cause });
}

function timeOf(text: string | null): Date | null {
  const time = new Date(text ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? null : time;
}
