import type { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';

import { SECOND } from '../../rules/hours.ts';
import { fixedWindows } from '../local.ts';
import type { Allowance, Limiter } from '../backplane.ts';
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
  const counting = async (ask: (limiter: Limiter) => Promise<Allowance | null>): Promise<Allowance | null> => {
    if (paused || client.status !== 'ready') return ask(insurance);
    try {
      const allowance = await ask(windows);
      outage.works(LIMITS_IN_REDIS);
      return allowance;
    } catch (error) {
      pause();
      outage.failed(LIMITS_IN_REDIS, error instanceof Error ? error : new Error(String(error)));
      return ask(insurance);
    }
  };
  return {
    count: (limit, key, uses) => counting((limiter) => limiter.count(limit, key, uses)),
    peek: (limit, key) => counting((limiter) => limiter.peek(limit, key)),
  };
}
