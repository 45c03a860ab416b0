import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { withOwn } from '../../support/document-blocks.ts';

export const ROOT = join(import.meta.dirname, '../../..');

export const OPERATING = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');

/** A file of the folder deploy, and what stands for the operator's own. */
export function deployFile(name: string, own: Readonly<Record<string, string>> = {}): string {
  return withOwn(readFileSync(join(ROOT, 'deploy', name), 'utf8'), own);
}

const execute = promisify(execFile);

/** Programs as an operator has them, with the Node.js that runs this. */
export const PATH = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;

/** Runs a block of a document as bash does, to its end or to its first command that fails; resolves with what it prints. */
export async function shell(block: string, environment: Readonly<Record<string, string>> = {}, cwd = ROOT) {
  return execute('bash', ['-euo', 'pipefail', '-c', block], { cwd, env: { PATH, HOME: '/tmp', ...environment } });
}
