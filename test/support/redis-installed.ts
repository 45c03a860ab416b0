import { describeWith, isInstalled } from './installed.ts';

const REDIS = 'redis-server';

/** Whether this machine has a redis-server for the tests to start. */
export const HAS_REDIS = isInstalled(REDIS);

/** A suite that needs Redis. */
export function describeWithRedis(name: string, suite: () => void): void {
  describeWith([REDIS], name, suite);
}
