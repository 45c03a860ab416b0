import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { DatabaseConnection } from '../../src/database/connection.ts';
import { type Reply, send } from './http.ts';

const ROOT = join(import.meta.dirname, '../..');
export const SERVICE = [process.execPath, join(ROOT, 'bin/hourcast.js')] as const;
/** The process needs these; the caller's other variables would change the test. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'USER'];
/** Without a setting the market would depend on whether the exchanges are reachable. */
const DEFAULTS = { PORT: '0', LOG_LEVEL: 'warn', RATE_LIMITS: 'off', MARKET: 'simulated' };
/** It ends only tests that hang: on a loaded machine a process takes many times longer to end. */
const STOP_TIMEOUT_MS = 120_000;

export type Settings = Readonly<Record<string, string>>;

/** The exit code or signal, and the output. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A started process, which may never answer. */
export interface StartedProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Awaits a text on standard output. */
  readonly written: (text: RegExp) => Promise<RegExpExecArray>;
  /** Both outputs so far. */
  readonly output: () => string;
  /** Sends the signal and awaits the end; kills the process after 2 minutes. */
  readonly end: (signal?: NodeJS.Signals) => Promise<Ended>;
}

/** A service that answers at `url`; it is killed at the end if it still runs. */
export interface RunningService extends StartedProcess, AsyncDisposable {
  readonly url: string;
  /** The line of standard output that announces the start. */
  readonly announcement: string;
  get(path: string, key?: string): Promise<Reply>;
  post(path: string, body: object, key?: string): Promise<Reply>;
}

/** Starts the real process on a free port and awaits its address. Throws if it ends instead. */
export async function launch(settings: Settings, command?: readonly string[]): Promise<RunningService> {
  const started = begin(settings, command);
  const { child, ended, end, written } = started;
  const [announcement] = await Promise.race([
    written(/Hourcast listens on [^"\n]+(?=["\n])/),
    ended.then((how) => Promise.reject(new Error(`The service ended: ${JSON.stringify(how)}`))),
  ]);
  const url = /http:[^\s,]+/.exec(announcement)?.[0] ?? '';
  return {
    ...started,
    url,
    announcement,
    get: (path, key) => send(url, { method: 'GET', path, key }),
    post: (path, body, key) => send(url, { method: 'POST', path, body, key }),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await end('SIGKILL');
    },
  };
}

/** For starts that must end by themselves. */
export function endOf(settings: Settings): Promise<Ended> {
  return begin(settings).ended;
}

/** `command` may be a program that starts the service. */
export function begin(settings: Settings, command: readonly string[] = SERVICE): StartedProcess {
  const [program = '', ...parameters] = command;
  const child = spawn(program, parameters, {
    cwd: ROOT,
    env: { ...inherited(), ...DEFAULTS, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A program that starts others leads a process group, which signals reach as a whole.
    detached: command !== SERVICE,
  });
  const [stdout, stderr, all]: [string[], string[], string[]] = [[], [], []];
  child.stdout.on('data', (chunk: Buffer) => [stdout, all].forEach((texts) => texts.push(chunk.toString())));
  child.stderr.on('data', (chunk: Buffer) => [stderr, all].forEach((texts) => texts.push(chunk.toString())));
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, stdout: stdout.join(''), stderr: stderr.join('') }));
  });
  return {
    child,
    ended,
    output: () => all.join(''),
    written: (text) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = text.exec(stdout.join(''));
          if (found === null) return;
          child.stdout.off('data', look);
          resolve(found);
        };
        child.stdout.on('data', look);
        look();
      }),
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      const killing = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      const how = await ended;
      clearTimeout(killing);
      return how;
    },
  };
}

function inherited(): Settings {
  return Object.fromEntries(INHERITED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** True for a zombie too, which only the system's first process can remove. */
export async function hasEnded(pid: number): Promise<boolean> {
  if (process.platform === 'linux') return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) === '';
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

/** As an operator writes it. */
export function databaseUrl({ user, host, port, database }: DatabaseConnection): string {
  return `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}
