import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import { LIMITS, type LimitName } from '../limits.ts';
import { SECOND } from '../rules/hours.ts';
import type { Limiter } from './limiter.ts';

/** Counts in this process's memory: the driver of a service that runs as one process. */
export function memoryLimiter(): Limiter {
  const limiters = new Map<string, RateLimiterMemory>();
  for (const [name, { requests, windowMs }] of Object.entries(LIMITS)) {
    limiters.set(name, new RateLimiterMemory({ points: requests, duration: windowMs / SECOND }));
  }
  return {
    async count(limit, key) {
      const { requests } = LIMITS[limit];
      try {
        const { remainingPoints } = await limiterOf(limiters, limit).consume(key);
        return { limit: requests, remaining: remainingPoints, retryAfterSeconds: null };
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / SECOND));
        return { limit: requests, remaining: 0, retryAfterSeconds };
      }
    },
  };
}

function limiterOf(limiters: ReadonlyMap<string, RateLimiterMemory>, name: LimitName): RateLimiterMemory {
  const limiter = limiters.get(name);
  if (limiter === undefined) throw new Error(`No limiter was made for the limit ${name}`);
  return limiter;
}

/** Counts nothing: for benches and demos (`RATE_LIMITS=off`). */
export const noLimiter: Limiter = { count: () => Promise.resolve(null) };
