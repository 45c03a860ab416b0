import { describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** This machine has the program. */
export function isInstalled(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(':');
  return folders.some((folder) => existsSync(join(folder, program)));
}

/** Declares tests that need these programs: skipped with the reason in their name if one is missing, failing with CI=true. */
export function whereInstalled(programs: readonly string[], name: string, declare: () => void): void {
  const missing = programs.filter((program) => !isInstalled(program)).join(', ');
  if (missing === '') {
    declare();
  } else if (process.env['CI'] === 'true') {
    test(`${name}: ${missing} is installed`, () => {
      expect(`${missing} is not installed`).toBe('installed');
    });
  } else {
    test.skip(`${name} (skipped: no ${missing} is installed)`, () => {});
  }
}

/** A suite that needs these programs. */
export function describeWith(programs: readonly string[], name: string, suite: () => void): void {
  whereInstalled(programs, name, () => describe(name, suite));
}
