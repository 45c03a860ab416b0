import { setTimeout as delay } from 'node:timers/promises';
import { SourceFailure, type FailureKind } from './source-failure.ts';

/** Waits so many real milliseconds; rejects when the signal is aborted. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export interface RetrySettings {
  /** A number from 0 to below 1, for the jitter. */
  readonly random: () => number;
  readonly stopping: AbortSignal;
  readonly wait?: Wait | undefined;
}

const ATTEMPTS = 2;
const FIRST_PAUSE_MS = 300;

const RETRIED: Readonly<Record<FailureKind, boolean>> = {
  silent: true,
  broken: true,
  busy: false,
  paused: false,
  refused: false,
};

/** Runs `attempt` once more, after a pause, when a source failed in a way that may pass. Throws what the last try threw. */
export async function withRetry<T>(settings: RetrySettings, attempt: () => Promise<T>): Promise<T> {
  let first: SourceFailure | null = null;
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      // What went wrong tells more than that the breaker has opened over it.
      if (error.kind === 'paused') throw first ?? error;
      if (!RETRIED[error.kind] || tries >= ATTEMPTS || settings.stopping.aborted) throw error;
      first ??= error;
      await pause(settings, tries);
    }
  }
}

/** From half to one and a half of a pause that doubles with each try. */
async function pause({ random, stopping, wait = waitReal }: RetrySettings, tries: number): Promise<void> {
  try {
    await wait(FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.5 + random()), stopping);
  } catch (cause) {
    throw new SourceFailure('silent', 'It was not waited for: the service stops.', { cause });
  }
}

function waitReal(ms: number, signal: AbortSignal): Promise<void> {
  return delay(ms, undefined, { signal });
}
