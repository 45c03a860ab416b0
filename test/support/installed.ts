import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';

/** Whether this machine has a program for the tests to start. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

/**
 * Declares tests that need such a program: skipped with the reason in their name where it is not installed, failing there
 * with CI=true.
 */
export function whereInstalled(program: string, name: string, declare: () => void): void {
  if (isInstalled(program)) {
    declare();
  } else if (process.env['CI'] === 'true') {
    test(`${name}: ${program} is there`, () => {
      expect(`${program} is not installed`).toBe('installed');
    });
  } else {
    test.skip(`${name} (skipped: no ${program} is installed)`, () => {});
  }
}
