import { SECOND } from '../rules/hours.ts';

/** So many failures in a row open it. */
const FAILURES_IN_A_ROW = 5;
const OPEN_MS = 30 * SECOND;

/** Decides whether a source may be asked. All times are real ones, for they protect the source and its network. */
export interface Breaker {
  /** Whether a request may go out now; after the time open, one at a time until one succeeds. */
  admits(real: Date): boolean;
  succeeded(): void;
  failed(real: Date): void;
  /** Holds every request back for so long, at the source's own request. */
  pause(real: Date, ms: number): void;
  isOpen(real: Date): boolean;
}

/** A circuit breaker: closed, open for 30 s after 5 failures in a row, then open again unless the one trial succeeds. */
export function breaker(): Breaker {
  let failures = 0;
  let openUntil = 0;
  let trying = false;
  return {
    admits(real) {
      if (real.getTime() < openUntil) return false;
      if (failures < FAILURES_IN_A_ROW) return true;
      if (trying) return false;
      trying = true;
      return true;
    },
    succeeded() {
      failures = 0;
      trying = false;
    },
    failed(real) {
      failures++;
      trying = false;
      if (failures >= FAILURES_IN_A_ROW) openUntil = Math.max(openUntil, real.getTime() + OPEN_MS);
    },
    pause(real, ms) {
      openUntil = Math.max(openUntil, real.getTime() + ms);
    },
    isOpen: (real) => real.getTime() < openUntil,
  };
}
