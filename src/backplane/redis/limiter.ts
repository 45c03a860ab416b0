import type { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';

import { SECOND } from '../../rules/hours.ts';
import { fixedWindows } from '../local.ts';
import type { Limiter } from '../backplane.ts';
import type { Outage } from './client.ts';

export const LIMITS_IN_REDIS = 'limits';

const RETRY_DELAY_MS = SECOND;

interface RedisLimiterOptions {
  readonly client: Redis;
  readonly prefix: string;
  readonly outage: Outage;
  readonly insurance: Limiter;
}

/** Counts in Redis, over all processes. During an outage `insurance` counts, and only the first request waits for Redis. */
export function redisLimiter({ client, prefix, outage, insurance }: RedisLimiterOptions): Limiter {
  const windows = fixedWindows(
    ({ name, points, duration }) =>
      new RateLimiterRedis({ storeClient: client, keyPrefix: `${prefix}:limit:${name}`, points, duration }),
  );
  let paused = false;
  const pause = (): void => {
    paused = true;
    setTimeout(() => (paused = false), RETRY_DELAY_MS).unref();
  };
  return {
    async count(limit, key, uses = 1) {
      if (paused || client.status !== 'ready') return insurance.count(limit, key, uses);
      try {
        const allowance = await windows.count(limit, key, uses);
        outage.works(LIMITS_IN_REDIS);
        return allowance;
      } catch (error) {
        pause();
        outage.failed(LIMITS_IN_REDIS, error instanceof Error ? error : new Error(String(error)));
        return insurance.count(limit, key, uses);
      }
    },
  };
}
