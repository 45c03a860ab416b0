import type { Limiter } from '../../src/backplane/backplane.ts';
import { LIMITS } from '../../src/limits.ts';
import { SECOND } from '../../src/rules/hours.ts';

/** Counts in windows that never end, so that spent budgets stay spent on a slow machine. */
export function stillLimiter(): Limiter {
  const spent = new Map<string, number>();
  return {
    async count(name, key, uses = 1) {
      const { requests, windowMs } = LIMITS[name];
      const window = `${name} ${key}`;
      const used = (spent.get(window) ?? 0) + uses;
      spent.set(window, used);
      const resetSeconds = windowMs / SECOND;
      const retryAfterSeconds = used > requests ? resetSeconds : null;
      return { limit: requests, remaining: Math.max(0, requests - used), resetSeconds, retryAfterSeconds };
    },
  };
}
