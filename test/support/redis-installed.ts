import { spawnSync } from 'node:child_process';

import { describeWith } from './installed.ts';

/** Whether this machine has a redis-server for the tests to start. */
export const HAS_REDIS = spawnSync('redis-server', ['--version']).status === 0;

/** A suite that needs Redis: skipped with the reason in its name where none is installed, failing there with CI=true. */
export function describeWithRedis(name: string, suite: () => void): void {
  describeWith(['redis-server'], name, suite);
}
