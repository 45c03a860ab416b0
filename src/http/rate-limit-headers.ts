/** A budget after a request was counted. */
interface Counted {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/**
 * What an answer tells of the budget that it spent. The window's end is in seconds from now, as in `Retry-After`: no clock of the
 * caller's is needed.
 */
export function rateLimitHeaders({ limit, remaining, resetSeconds }: Counted): Readonly<Record<string, string>> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetSeconds),
  };
}
