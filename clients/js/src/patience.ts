import { HourcastError } from './errors.ts';

const FIRST_MS = 250;
const LONGEST_MS = 8000;

/** Statuses after which the same request may well succeed. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/** What goes wrong without an answer, and may well go right later. */
const PASSING_CODES: ReadonlySet<string> = new Set(['unreachable', 'timeout', 'broken_stream']);

/** A try that failed and is made again. */
export interface Retry {
  readonly error: HourcastError;
  /** How long until the next try. */
  readonly waitMs: number;
}

interface PatienceOptions {
  /** How long tries go on without any progress. */
  readonly patienceMs: number;
  readonly onRetry: ((retry: Retry) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Keeps count of tries, and waits between them. */
export interface Patience {
  /** Waits after a try that failed. Throws the error where another try cannot help, or patience is at its end. */
  wait(error: unknown): Promise<void>;
  /** Something came: tries are counted anew. */
  progress(): void;
}

/** The pauses between tries grow, are not the same for all clients, and are never shorter than the service asks for. */
export function patienceFor({ patienceMs, onRetry, signal }: PatienceOptions): Patience {
  let tries = 0;
  let giveUpAt = performance.now() + patienceMs;
  return {
    async wait(error) {
      if (!(error instanceof HourcastError) || !isPassing(error)) throw error;
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

/** Whether the same request may well succeed later: nobody answered, the budget is spent, or the service is away. */
function isPassing({ code, status }: HourcastError): boolean {
  return status === null ? PASSING_CODES.has(code) : PASSING.has(status);
}

function pauseMs(tries: number, retryAfter: number | null): number {
  const jitter = Math.random();
  if (retryAfter !== null) return retryAfter * 1000 + jitter * FIRST_MS;
  return Math.min(FIRST_MS * 2 ** (tries - 1), LONGEST_MS) * (0.5 + jitter / 2);
}

/** Waits; throws the signal's reason where it is aborted meanwhile. */
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
