import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

import { LIMITS, type LimitName } from '../limits.ts';
import { SECOND } from '../rules/hours.ts';
import type { Limiter } from './limiter.ts';

/** What a window is made from: how many requests it takes, and how long it is. */
export interface Window {
  readonly name: LimitName;
  readonly points: number;
  /** In seconds. */
  readonly duration: number;
}

/** A limiter with a window of `open`'s for each limit; it rejects as their store does. */
export function fixedWindows(open: (window: Window) => RateLimiterAbstract): Limiter {
  const windows = new Map<string, RateLimiterAbstract>();
  for (const name of limitNames()) {
    const { requests, windowMs } = LIMITS[name];
    windows.set(name, open({ name, points: requests, duration: windowMs / SECOND }));
  }
  return {
    async count(limit, key) {
      const { requests } = LIMITS[limit];
      const window = windows.get(limit);
      if (window === undefined) throw new Error(`No window was made for the limit ${limit}`);
      try {
        const { remainingPoints } = await window.consume(key);
        return { limit: requests, remaining: remainingPoints, retryAfterSeconds: null };
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / SECOND));
        return { limit: requests, remaining: 0, retryAfterSeconds };
      }
    },
  };
}

function limitNames(): readonly LimitName[] {
  return Object.keys(LIMITS).filter((name): name is LimitName => name in LIMITS);
}
