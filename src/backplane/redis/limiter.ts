import type { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';

import { SECOND } from '../../rules/hours.ts';
import { fixedWindows } from '../local.ts';
import type { Limiter } from '../backplane.ts';
import type { Outage } from './client.ts';

/** The name under which the limiter's failures are kept in an outage. */
export const LIMITS_IN_REDIS = 'limits';

/** How long, in real milliseconds, Redis is not asked again after it has failed. */
const REST_MS = SECOND;

interface RedisLimiterOptions {
  readonly client: Redis;
  readonly prefix: string;
  readonly outage: Outage;
  /** Counts while Redis does not. */
  readonly insurance: Limiter;
}

/**
 * Counts in Redis, over all processes. While Redis fails `insurance` counts instead, without a request waiting for
 * Redis but the first.
 */
export function redisLimiter({ client, prefix, outage, insurance }: RedisLimiterOptions): Limiter {
  const windows = fixedWindows(
    ({ name, points, duration }) =>
      new RateLimiterRedis({ storeClient: client, keyPrefix: `${prefix}:limit:${name}`, points, duration }),
  );
  let resting = false;
  const rest = (): void => {
    resting = true;
    setTimeout(() => (resting = false), REST_MS).unref();
  };
  return {
    async count(limit, key, uses = 1) {
      if (resting || client.status !== 'ready') return insurance.count(limit, key, uses);
      try {
        const allowance = await windows.count(limit, key, uses);
        outage.works(LIMITS_IN_REDIS);
        return allowance;
      } catch (error) {
        rest();
        outage.failed(LIMITS_IN_REDIS, error instanceof Error ? error : new Error(String(error)));
        return insurance.count(limit, key, uses);
      }
    },
  };
}
