import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import type { Limiter } from './backplane.ts';
import { type LimitName, LIMITS } from '../limits.ts';
import { SECOND } from '../rules/hours.ts';

/** Windows that are kept at a time, over all limits: about 1 KB each, so that no flood of addresses fills the memory. */
const MAX_WINDOWS = 50_000;

/** Counts in this process's memory: the driver of a service that runs as one process. The oldest windows go first. */
export function memoryLimiter(maxWindows = MAX_WINDOWS): Limiter {
  /** How to forget each window, in the order in which they began. */
  const began = new Map<string, () => void>();
  return fixedWindows(({ name, points, duration }) => {
    const windows = new RateLimiterMemory({ points, duration });
    const note = (key: string): void => {
      const place = `${name} ${key}`;
      began.delete(place);
      began.set(place, () => void windows.delete(key));
      const [oldest] = began;
      if (began.size <= maxWindows || oldest === undefined) return;
      began.delete(oldest[0]);
      oldest[1]();
    };
    return {
      async consume(key, uses) {
        const counted = await windows.consume(key, uses);
        if (counted.isFirstInDuration) note(key);
        return counted;
      },
    };
  });
}

/** Counts nothing: for benches and demos (`RATE_LIMITS=off`). */
export const noLimiter: Limiter = { countsNothing: true, count: () => Promise.resolve(null) };

/** What a window is made from: how many requests it takes, and how long it is. */
export interface Window {
  readonly name: LimitName;
  readonly points: number;
  /** In seconds. */
  readonly duration: number;
}

/** The windows of one limit, by key; rejects with the library's `RateLimiterRes` what is beyond the limit. */
export interface Windows {
  consume(key: string, uses: number): Promise<RateLimiterRes>;
}

/** A limiter with a window of `open`'s for each limit; it rejects as their store does. */
export function fixedWindows(open: (window: Window) => Windows): Limiter {
  const windows = new Map<string, Windows>();
  for (const name of limitNames()) {
    const { requests, windowMs } = LIMITS[name];
    windows.set(name, open({ name, points: requests, duration: windowMs / SECOND }));
  }
  return {
    async count(limit, key, uses = 1) {
      const { requests } = LIMITS[limit];
      const window = windows.get(limit);
      if (window === undefined) throw new Error(`No window was made for the limit ${limit}`);
      try {
        const counted = await window.consume(key, uses);
        const resetSeconds = secondsTo(counted);
        return { limit: requests, remaining: counted.remainingPoints, resetSeconds, retryAfterSeconds: null };
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        const resetSeconds = secondsTo(refusal);
        return { limit: requests, remaining: 0, resetSeconds, retryAfterSeconds: resetSeconds };
      }
    },
  };
}

function secondsTo({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / SECOND));
}

function limitNames(): readonly LimitName[] {
  return Object.keys(LIMITS).filter((name): name is LimitName => name in LIMITS);
}
