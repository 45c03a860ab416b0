import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const PROGRAM = join(import.meta.dirname, '../../bin/hourcast.js');

export interface Verified {
  readonly code: number | null;
  /** What it says on its standard output, line by line. */
  readonly lines: readonly string[];
  /** What it says on its standard error. */
  readonly complaint: string;
}

/** Runs `npm run verify` with these arguments as a process of its own. */
export async function runVerify(words: readonly string[]): Promise<Verified> {
  const child = spawn(process.execPath, [PROGRAM, 'verify', ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [printed, complained]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (piece: Buffer) => printed.push(piece));
  child.stderr.on('data', (piece: Buffer) => complained.push(piece));
  await once(child, 'close');
  const lines = Buffer.concat(printed).toString().trimEnd().split('\n');
  return { code: child.exitCode, lines, complaint: Buffer.concat(complained).toString() };
}
