import { setTimeout as delay } from 'node:timers/promises';

import { MINUTE, SECOND } from '../../rules/hours.ts';
import { type FailureKind, SourceFailure } from './source-failure.ts';

/** So many failures in a row open it. */
const FAILURES_IN_A_ROW = 5;
const OPEN_MS = 30 * SECOND;
/** A source that asks for a longer pause counts as down for the hour that has just ended. */
const LONG_PAUSE_MS = MINUTE;

/** Decides whether a source may be asked. All times are real ones, for they protect the source and its network. */
export interface Breaker {
  /** Whether a request may go out now; after the time open, one at a time until one succeeds. */
  admits(real: Date): boolean;
  succeeded(): void;
  failed(real: Date): void;
  /** Holds every request back for so long, at the source's own request. A failure, but one for all that were in flight. */
  pause(real: Date, ms: number): void;
  isOpen(real: Date): boolean;
  /** Whether it is known to be down: after so many failures, until one succeeds, or during a long pause. */
  isDown(real: Date): boolean;
}

/** A circuit breaker: closed, open for 30 s after 5 failures in a row, then open again unless the one trial succeeds. */
export function breaker(): Breaker {
  let failures = 0;
  let openUntil = 0;
  let trying = false;
  const isOpen = (real: Date): boolean => real.getTime() < openUntil;
  const fail = (real: Date): void => {
    failures++;
    trying = false;
    if (failures >= FAILURES_IN_A_ROW) openUntil = Math.max(openUntil, real.getTime() + OPEN_MS);
  };
  return {
    admits(real) {
      if (isOpen(real)) return false;
      if (failures < FAILURES_IN_A_ROW) return true;
      if (trying) return false;
      trying = true;
      return true;
    },
    succeeded() {
      failures = 0;
      trying = false;
    },
    failed: fail,
    pause(real, ms) {
      if (!isOpen(real)) fail(real);
      openUntil = Math.max(openUntil, real.getTime() + ms);
    },
    isOpen,
    isDown: (real) => failures >= FAILURES_IN_A_ROW || openUntil - real.getTime() > LONG_PAUSE_MS,
  };
}

/** Waits so many real milliseconds; rejects when the signal is aborted. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export interface RetrySettings {
  /** A number from 0 to below 1, for the jitter. */
  readonly random: () => number;
  /** Ends the pause before the next try, and with it the tries. */
  readonly stopping: AbortSignal;
  readonly wait?: Wait | undefined;
}

const PAUSE_MS = 300;

const RETRIED: Readonly<Record<FailureKind, boolean>> = {
  silent: true,
  slow: false,
  broken: true,
  busy: false,
  paused: false,
  refused: false,
};

/**
 * Runs `attempt` once more, after a pause, when a source failed in a way that may pass. Throws what the last try threw; the
 * first failure where that says only that the breaker has opened since.
 */
export async function withRetry<T>(settings: RetrySettings, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (first) {
    if (!(first instanceof SourceFailure) || !RETRIED[first.kind] || settings.stopping.aborted) throw first;
    await pause(settings, first);
    return attempt().catch((second: unknown) => {
      throw second instanceof SourceFailure && second.kind === 'paused' ? first : second;
    });
  }
}

/** From half to one and a half of the usual pause. Throws `failure` when it is broken off. */
async function pause({ random, stopping, wait = waitReal }: RetrySettings, failure: SourceFailure): Promise<void> {
  try {
    await wait(PAUSE_MS * (0.5 + random()), stopping);
  } catch {
    throw failure;
  }
}

function waitReal(ms: number, signal: AbortSignal): Promise<void> {
  return delay(ms, undefined, { signal });
}
