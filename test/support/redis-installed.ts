import { describeWith, isInstalled } from './installed.ts';

const REDIS = 'redis-server';

/** This machine has redis-server. */
export const HAS_REDIS = isInstalled(REDIS);

export function describeWithRedis(name: string, suite: () => void): void {
  describeWith([REDIS], name, suite);
}
