import type { Allowance, Limiter } from '../../src/backplane/backplane.ts';
import { type LimitName, LIMITS } from '../../src/limits.ts';
import { SECOND } from '../../src/rules/hours.ts';

/**
 * Counts in windows that never end, so that spent budgets stay spent on a slow machine. A request counts as `weight` of them, so
 * that a test spends a budget by few.
 */
export function stillLimiter(weight: () => number = () => 1): Limiter {
  const spent = new Map<string, number>();
  return {
    async count(name, key, uses = 1) {
      const window = `${name} ${key}`;
      const used = (spent.get(window) ?? 0) + uses * weight();
      spent.set(window, used);
      return left(name, used);
    },
    async peek(name, key) {
      const used = spent.get(`${name} ${key}`);
      return used === undefined ? null : left(name, used);
    },
  };
}

function left(name: LimitName, used: number): Allowance {
  const { requests, windowMs } = LIMITS[name];
  const resetSeconds = windowMs / SECOND;
  const retryAfterSeconds = used > requests ? resetSeconds : null;
  return { limit: requests, remaining: Math.max(0, requests - used), resetSeconds, retryAfterSeconds };
}
