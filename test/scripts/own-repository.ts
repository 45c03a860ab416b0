import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll } from '@jest/globals';

/** A folder of a suite's own, without a repository until `git('init')`, and git in it. */
export function ownRepository() {
  const folder = mkdtempSync(join(tmpdir(), 'hourcast-test-repository-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  return { folder, git };
}
