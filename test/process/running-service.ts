import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { stopEmbeddedPostgres } from '../../src/backplane/embedded-postgres.ts';
import type { DatabaseConnection } from '../../src/backplane/database-connection.ts';

const ROOT = join(import.meta.dirname, '../..');
/** What a process needs; the caller's own settings would change what is tested. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'USER'];

/** How the service ended, and all that it wrote. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningService extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly url: string;
  /** The line on standard output that tells that it runs. */
  readonly announcement: string;
  readonly ended: Promise<Ended>;
  /** Sends the signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<Ended>;
  get(path: string, key?: string): Promise<{ readonly status: number; readonly body: any }>; // oxlint-disable-line typescript/no-explicit-any
  post(path: string, body: object): Promise<{ readonly status: number; readonly body: any }>; // oxlint-disable-line typescript/no-explicit-any
}

export type Settings = Readonly<Record<string, string>>;

/** Starts the real process on a free port and waits until it says where it listens. Throws when it ends instead. */
export async function launch(settings: Settings, command?: readonly string[]): Promise<RunningService> {
  const { child, ended, written } = run(settings, command);
  const [announcement] = await Promise.race([
    written(/^Hourcast listens on .+\n/m),
    ended.then((end) => Promise.reject(new Error(`The service ended: ${JSON.stringify(end)}`))),
  ]);
  const url = /http:\S+(?=,)/.exec(announcement)?.[0] ?? '';
  const send = async (path: string, options: RequestInit) => {
    const response = await fetch(url + path, options);
    return { status: response.status, body: await response.json() };
  };
  const end = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  return {
    child,
    url,
    announcement,
    ended,
    end,
    get: (path, key) => send(path, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } }),
    post: (path, body) =>
      send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await end('SIGKILL');
    },
  };
}

/** Starts the real process, which is to end by itself. */
export function endOf(settings: Settings): Promise<Ended> {
  return run(settings).ended;
}

function run(settings: Settings, command: readonly string[] = [process.execPath, join(ROOT, 'bin/hourcast.js')]) {
  const inherited = INHERITED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  // Unset, the market would depend on whether the machine reaches the exchanges.
  const usual = { PORT: '0', LOG_LEVEL: 'warn', RATE_LIMITS: 'off', MARKET: 'simulated' };
  const env = { ...Object.fromEntries(inherited), ...usual, ...settings };
  const [program = '', ...parameters] = command;
  const child = spawn(program, parameters, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, ...output })));
  const written = (text: RegExp) =>
    new Promise<RegExpExecArray>((resolve) => {
      child.stdout.on('data', () => {
        const found = text.exec(output.stdout);
        if (found) resolve(found);
      });
    });
  return { child, ended, written };
}

export interface DataFolder extends AsyncDisposable {
  readonly path: string;
  /** The process number of the PostgreSQL that runs on it. */
  postmaster(): Promise<number>;
}

/** A folder of the test's own, which need not exist yet; root's PostgreSQL runs as another account, which may enter. */
export async function dataFolder(): Promise<DataFolder> {
  const parent = await mkdtemp(join(tmpdir(), 'hourcast-process-'));
  await chmod(parent, 0o755);
  const path = join(parent, 'data');
  return {
    path,
    postmaster: async () => Number.parseInt(await readFile(join(path, 'postgres', 'postmaster.pid'), 'utf8'), 10),
    async [Symbol.asyncDispose]() {
      await stopEmbeddedPostgres(path);
      await rm(parent, { recursive: true, force: true });
    },
  };
}

/** True for a zombie too, which only the system's first process can clear away. */
export async function hasEnded(pid: number): Promise<boolean> {
  if (process.platform === 'linux') return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) === '';
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

/** The connection as an operator writes it. */
export function databaseUrl({ user, host, port, database }: DatabaseConnection): string {
  return `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}
