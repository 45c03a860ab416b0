import { Redis } from 'ioredis';

import type { RedisAddress } from './address.ts';
import { connectionOptions } from './client.ts';

const OLDEST = [6, 2] as const;
const NEARLY_FULL = 0.9;

/** Faults as sentences. Throws if Redis does not answer. */
export async function faultsOfRedis(address: RedisAddress): Promise<readonly string[]> {
  const redis = new Redis({ ...connectionOptions(address, 'commands'), lazyConnect: true, retryStrategy: () => null });
  let why: Error | undefined;
  redis.on('error', (error: Error) => (why = error));
  try {
    await redis.connect();
    const text = await redis.info();
    const field = (name: string): string => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(text)?.[1] ?? '';
    const [major = 0, minor = 0] = field('redis_version').split('.').map(Number);
    const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
    const [used, most] = [Number(field('used_memory')), Number(field('maxmemory'))];
    return [
      isOld ? `Redis is ${field('redis_version')} and must be ${OLDEST.join('.')} or newer.` : '',
      field('role') === 'slave' ? 'Redis is a replica, which takes no writes: REDIS_URL must name the primary.' : '',
      ['noeviction', ''].includes(field('maxmemory_policy'))
        ? ''
        : `Redis may drop jobs and limits: maxmemory-policy must be noeviction (it is ${field('maxmemory_policy')}).`,
      most > 0 && used > most * NEARLY_FULL ? `Redis uses ${used} of the ${most} bytes of its maxmemory.` : '',
    ].filter((sentence) => sentence !== '');
  } catch (error) {
    throw why ?? error;
  } finally {
    redis.disconnect();
  }
}
