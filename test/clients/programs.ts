import { spawn } from 'node:child_process';

/** What programs of these suites inherit: the caller's own settings would change what is tested. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'USER'];

export interface Program {
  /** All that it has written to standard output so far, or to standard error. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<Ended>;
  readonly kill: (signal: NodeJS.Signals) => void;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a program whose output is a pipe. */
export function start([program = '', ...parameters]: readonly string[], { cwd, env }: Surroundings = {}): Program {
  const inherited = INHERITED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  const child = spawn(program, parameters, { cwd, env: { ...Object.fromEntries(inherited), ...env } });
  const written: { stdout: string; stderr: string } = { stdout: '', stderr: '' };
  child.stdin.end();
  child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve({ code, ...written }));
  });
  return {
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    ended,
    kill: (signal) => void child.kill(signal),
  };
}

/** Runs a program to its end. */
export function run(command: readonly string[], surroundings?: Surroundings): Promise<Ended> {
  return start(command, surroundings).ended;
}
