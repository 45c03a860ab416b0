import type { Allowance } from '../backplane/backplane.ts';

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
