import type { Allowance } from '../backplane/backplane.ts';

/** Empty where no budget is counted. The reset is in seconds from now, as in `Retry-After`, so callers need no clock. */
export function rateLimitHeaders(allowance: Allowance | null): Readonly<Record<string, string>> {
  if (allowance === null) return {};
  const { limit, remaining, resetSeconds } = allowance;
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetSeconds),
  };
}

export function allowanceHeaders(allowance: Allowance | null): Readonly<Record<string, string>> {
  const retryAfter = allowance?.retryAfterSeconds ?? null;
  return { ...rateLimitHeaders(allowance), ...(retryAfter === null ? {} : { 'Retry-After': String(retryAfter) }) };
}
