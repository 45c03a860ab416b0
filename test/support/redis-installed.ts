import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';

/** Whether this machine has a redis-server for the tests to start. */
export const HAS_REDIS = spawnSync('redis-server', ['--version']).status === 0;

/** A suite that needs Redis: skipped with the reason in its name where none is installed, failing there with CI=true. */
export function describeWithRedis(name: string, suite: () => void): void {
  if (HAS_REDIS) {
    describe(name, suite);
  } else if (process.env['CI'] === 'true') {
    test(`${name}: redis-server is there`, () => {
      expect('redis-server is not installed').toBe('installed');
    });
  } else {
    test.skip(`${name} (skipped: no redis-server is installed)`, () => {});
  }
}
