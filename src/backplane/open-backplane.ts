import type { Backplane, DriverOptions } from './backplane.ts';
import type { DatabaseConnection } from '../database/connection.ts';
import { noLimiter, openLocalBackplane, queueOfOwnJobs } from './local.ts';
import type { RedisAddress } from './redis/address.ts';
import { openRedisBackplane } from './redis/backplane.ts';

interface RedisSettings extends DriverOptions {
  readonly redis: RedisAddress;
  readonly rateLimits: boolean;
  /** The warning when Redis is out of reach. */
  readonly lost: string;
}

/** The parts of a process without a database. */
export async function openFeedParts(settings: RedisSettings) {
  const { redis, rateLimits, lost } = settings;
  const parts = await openRedisBackplane(redis, settings, lost);
  return { ...parts, limiter: rateLimits ? parts.limiter : noLimiter };
}

interface BackplaneSettings extends DriverOptions {
  readonly redis: RedisAddress | null;
  readonly connection: DatabaseConnection;
  readonly rateLimits: boolean;
}

/** Uses Redis for all parts if `REDIS_URL` is set. Opens, with a warning, even if Redis is down. */
export async function openBackplane(settings: BackplaneSettings): Promise<Backplane> {
  const { redis, connection, rateLimits } = settings;
  const parts = redis === null ? openLocalBackplane(connection, settings) : await openRedisBackplane(redis, settings);
  const openQueue = redis === null ? queueOfOwnJobs(parts) : parts.openQueue;
  return { ...parts, openQueue, limiter: rateLimits ? parts.limiter : noLimiter };
}
