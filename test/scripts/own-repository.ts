import { execFileSync } from 'node:child_process';

import { ownFolder } from '../support/own-folder.ts';

/** A folder of a suite's own, without a repository until `git('init')`, and git in it. */
export function ownRepository() {
  const folder = ownFolder();
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  return { folder, git };
}
