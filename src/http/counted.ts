import type { IncomingMessage } from 'node:http';

import { type Allowance, type Limiter, tighter } from '../backplane/backplane.ts';
import type { LimitName } from '../limits.ts';
import { addressKey } from '../rules/address-key.ts';

interface CountedDeps {
  readonly limiter: Limiter;
  /** The address that a request counts against. */
  readonly ipOf: (request: IncomingMessage) => string;
}

/** Counts requests before anything is made for them; those that are refused are counted once all the same. */
export interface Counted {
  /** Spends budgets of the agent, or without one of the request's address, one after the other, until one is spent. */
  spend(request: IncomingMessage, limits: readonly LimitName[], agentId?: number): Promise<Spent>;
  /** For the context of a request: what was refused here before is handed out again, in its order, rather than counted anew. */
  limiterFor(request: IncomingMessage): Limiter;
}

interface Spent {
  readonly isWithin: boolean;
  /** Of these budgets the one with the least left; null where nothing is counted. */
  readonly allowance: Allowance | null;
}

const UNCOUNTED: Spent = { isWithin: true, allowance: null };

export function openCounted({ limiter, ipOf }: CountedDeps): Counted {
  const refused = new WeakMap<IncomingMessage, readonly (Allowance | null)[]>();
  return {
    async spend(request, limits, agentId) {
      if (limiter.countsNothing === true) return UNCOUNTED;
      const key = agentId === undefined ? `ip:${addressKey(ipOf(request))}` : `agent:${agentId}`;
      const all: (Allowance | null)[] = [];
      let allowance: Allowance | null = null;
      for (const limit of limits) {
        const counted = await limiter.count(limit, key);
        all.push(counted);
        allowance = tighter(allowance, counted);
        if (counted === null || counted.retryAfterSeconds === null) continue;
        refused.set(request, all);
        return { isWithin: false, allowance };
      }
      return { isWithin: true, allowance };
    },
    limiterFor(request) {
      const before = refused.get(request);
      return before === undefined ? limiter : after(before, limiter);
    },
  };
}

function after(before: readonly (Allowance | null)[], limiter: Limiter): Limiter {
  let place = 0;
  return {
    async count(...asked) {
      const known = before[place];
      place += 1;
      return known === undefined ? limiter.count(...asked) : known;
    },
  };
}

/**
 * What an answer tells of the budget that it spent; nothing where none is counted. The window's end is in seconds from now, as in
 * `Retry-After`: no clock of the caller's is needed.
 */
export function rateLimitHeaders(allowance: Allowance | null): Readonly<Record<string, string>> {
  if (allowance === null) return {};
  const { limit, remaining, resetSeconds } = allowance;
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetSeconds),
  };
}

/** The same, and when to come back where the budget is spent. */
export function allowanceHeaders(allowance: Allowance | null): Readonly<Record<string, string>> {
  const retryAfter = allowance?.retryAfterSeconds ?? null;
  return { ...rateLimitHeaders(allowance), ...(retryAfter === null ? {} : { 'Retry-After': String(retryAfter) }) };
}
