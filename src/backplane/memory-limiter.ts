import { RateLimiterMemory } from 'rate-limiter-flexible';

import { fixedWindows } from './fixed-windows.ts';
import type { Limiter } from './limiter.ts';

/** Counts in this process's memory: the driver of a service that runs as one process. */
export function memoryLimiter(): Limiter {
  return fixedWindows(({ points, duration }) => new RateLimiterMemory({ points, duration }));
}

/** Counts nothing: for benches and demos (`RATE_LIMITS=off`). */
export const noLimiter: Limiter = { count: () => Promise.resolve(null) };
