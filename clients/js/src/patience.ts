import { HourcastError } from './errors.ts';

const FIRST_MS = 250;
const LONGEST_MS = 8000;

/** Statuses after which a retry may succeed. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/** Failures without an answer that may pass. */
const PASSING_CODES: ReadonlySet<string> = new Set(['unreachable', 'timeout', 'broken_stream']);

/** A failed try that is repeated. */
export interface Retry {
  readonly error: HourcastError;
  /** Milliseconds until the next try. */
  readonly waitMs: number;
}

interface PatienceOptions {
  /** The maximum time of tries without progress. */
  readonly patienceMs: number;
  readonly onRetry: ((retry: Retry) => void) | undefined;
  readonly signal: AbortSignal | undefined;
  /** Statuses from here on pass, too. */
  readonly passingFrom?: number;
}

export interface Patience {
  /** Throws the error if a retry cannot help, or the time is over. */
  wait(error: unknown): Promise<void>;
  /** Resets the count after progress. */
  progress(): void;
}

/** Pauses grow, have jitter, and are never shorter than the service requests. */
export function patienceFor({ patienceMs, onRetry, signal, passingFrom = Infinity }: PatienceOptions): Patience {
  let tries = 0;
  let giveUpAt = performance.now() + patienceMs;
  return {
    async wait(error) {
      if (!(error instanceof HourcastError) || !isPassing(error, passingFrom)) throw error;
      tries += 1;
      const waitMs = pauseMs(tries, error.retryAfter);
      if (performance.now() + waitMs > giveUpAt) throw error;
      onRetry?.({ error, waitMs });
      await pause(waitMs, signal);
    },
    progress() {
      tries = 0;
      giveUpAt = performance.now() + patienceMs;
    },
  };
}

/** The same request may succeed later: no answer, a spent budget, or an unavailable service. */
function isPassing({ code, status }: HourcastError, passingFrom: number): boolean {
  return status === null ? PASSING_CODES.has(code) : PASSING.has(status) || status >= passingFrom;
}

function pauseMs(tries: number, retryAfter: number | null): number {
  const jitter = Math.random();
  if (retryAfter !== null) return retryAfter * 1000 + jitter * FIRST_MS;
  return Math.min(FIRST_MS * 2 ** (tries - 1), LONGEST_MS) * (0.5 + jitter / 2);
}

/** Throws the signal's reason if it is aborted meanwhile. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
