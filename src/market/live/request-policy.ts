import { setTimeout as delay } from 'node:timers/promises';

import { MINUTE, SECOND } from '../../rules/hours.ts';
import { type FailureKind, SourceFailure } from './source-failure.ts';

const FAILURES_IN_A_ROW = 5;
const OPEN_MS = 30 * SECOND;
/** After a longer pause a source counts as down for the hour that has just ended. */
const LONG_PAUSE_MS = MINUTE;

/**
 * Requests pause for 30 s after 5 failures in a row, then for another 30 s after each failed trial request. All times are real
 * ones, since they protect the source and its network.
 */
export function breaker() {
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
    /** After the time open, one request at a time until one succeeds. */
    admits(real: Date): boolean {
      if (isOpen(real)) return false;
      if (failures < FAILURES_IN_A_ROW) return true;
      if (trying) return false;
      trying = true;
      return true;
    },
    succeeded(): void {
      failures = 0;
    },
    failed: fail,
    /** Holds all requests back, as the source asked. Counts as one failure, however many were in flight. */
    pause(real: Date, ms: number): void {
      if (!isOpen(real)) fail(real);
      openUntil = Math.max(openUntil, real.getTime() + ms);
    },
    isOpen,
    /** After too many failures until one success, or during a long pause. */
    isDown: (real: Date) => failures >= FAILURES_IN_A_ROW || openUntil - real.getTime() > LONG_PAUSE_MS,
  };
}

type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export interface RetrySettings {
  readonly random: () => number;
  readonly stopping: AbortSignal;
  readonly wait?: Wait | undefined;
}

const PAUSE_MS = 300;
const realWait: Wait = (ms, signal) => delay(ms, undefined, { signal });

const RETRIED: readonly FailureKind[] = ['silent', 'broken'];

/** Retries once, after a pause, a failure that may pass. Throws the last error; the first one if the second only reports the breaker. */
export async function withRetry<T>(settings: RetrySettings, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (first) {
    if (!(first instanceof SourceFailure) || !RETRIED.includes(first.kind) || settings.stopping.aborted) throw first;
    await pause(settings, first);
    return attempt().catch((second: unknown) => {
      throw second instanceof SourceFailure && second.kind === 'paused' ? first : second;
    });
  }
}

/** From half to one and a half of the usual pause. Throws `failure` when aborted. */
async function pause({ random, stopping, wait = realWait }: RetrySettings, failure: SourceFailure): Promise<void> {
  try {
    await wait(PAUSE_MS * (0.5 + random()), stopping);
  } catch {
    throw failure;
  }
}
