import { execFileSync } from 'node:child_process';

/** Git's output in a folder, trimmed; null if it fails, such as outside a repository. */
export function gitOutput(folder: string, args: readonly string[]): string | null {
  try {
    return execFileSync('git', args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}
