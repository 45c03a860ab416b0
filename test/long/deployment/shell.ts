import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export const ROOT = join(import.meta.dirname, '../../..');

export const OPERATING = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');

const execute = promisify(execFile);

/** Programs as an operator has them, with the Node.js that runs this. */
export const PATH = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;

/** Runs a block of a document as bash does, to its end or to its first command that fails; resolves with what it prints. */
export async function shell(block: string, environment: Readonly<Record<string, string>> = {}, cwd = ROOT) {
  return execute('bash', ['-euo', 'pipefail', '-c', block], { cwd, env: { PATH, HOME: '/tmp', ...environment } });
}
