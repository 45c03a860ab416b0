import type { Clock } from '../../src/clock.ts';

/** A clock that only the test moves. */
export interface ManualClock extends Clock {
  set(time: Date | string): void;
}

export function manualClock(start: string): ManualClock {
  let time = new Date(start);
  return {
    now: () => new Date(time),
    speed: 1,
    realMsUntil: (instant) => Math.max(0, instant.getTime() - time.getTime()),
    set: (next) => {
      time = new Date(next);
    },
  };
}
