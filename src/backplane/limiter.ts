import type { LimitName } from '../limits.ts';

/** What is left of a budget after a request was counted. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Whole real seconds until the window ends; null when the request is within the limit. */
  readonly retryAfterSeconds: number | null;
}

/** Counts requests in fixed windows that begin with a key's first request. */
export interface Limiter {
  /** Counts one request of `key`; null when limits are off. */
  count(limit: LimitName, key: string): Promise<Allowance | null>;
}
