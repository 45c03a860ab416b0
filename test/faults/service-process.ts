import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { fixedPort } from './fixed-port.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const LOOK_AGAIN_MS = 10;
/** What a process needs; the caller's own settings would change what is tested. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'USER'];

/** After these it may refuse requests, or answer none. */
const DISTURBING: ReadonlySet<NodeJS.Signals> = new Set(['SIGTERM', 'SIGINT', 'SIGKILL', 'SIGSTOP']);

export type Settings = Readonly<Record<string, string>>;

/** How a process ended: by itself with a code, or by a signal. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A stretch of real time, in milliseconds since 1970, in which a process answered; `to` is null while it does. */
export interface Uptime {
  readonly from: number;
  to: number | null;
}

/** The real service as a process of its own, which may be killed and started again at the same address. */
export interface ServiceProcess {
  readonly url: string;
  /** Null while none runs. */
  readonly pid: number | null;
  /** When it was known to answer. */
  readonly uptimes: readonly Uptime[];
  /** All that it has written so far, over all starts. */
  output(): string;
  /** Starts it, with `settings` beside its own; resolves when it answers whether it lives. Throws when it ends before. */
  start(settings?: Settings): Promise<void>;
  /** Sends the signal without waiting. */
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal, SIGKILL unless told otherwise, and waits for the end; null when none runs. */
  end(signal?: NodeJS.Signals): Promise<Ended | null>;
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  isOver: boolean;
}

/** A process that is not started yet; `settings` are its environment, `PORT` aside, which it keeps over all starts. */
export async function serviceProcess(settings: Settings): Promise<ServiceProcess> {
  const port = String(await fixedPort());
  const url = `http://127.0.0.1:${port}`;
  const written: string[] = [];
  const uptimes: Uptime[] = [];
  let running: Running | null = null;
  const run = (more: Settings): Running => {
    const env = { ...inherited(), LOG_LEVEL: 'warn', RATE_LIMITS: 'off', ...settings, ...more, PORT: port };
    const child = spawn(process.execPath, ['bin/hourcast.js'], {
      cwd: REPOSITORY,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<Ended>((resolved) => {
      child.once('close', (code, signal) => resolved({ code, signal }));
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => written.push(String(chunk)));
    const started: Running = { child, ended, isOver: false };
    child.once('exit', () => {
      started.isOver = true;
      closeLast(uptimes);
    });
    return started;
  };
  return {
    url,
    uptimes,
    get pid() {
      return running === null || running.isOver ? null : (running.child.pid ?? null);
    },
    output: () => written.join(''),
    async start(more = {}) {
      if (running !== null && !running.isOver) throw new Error(`The service at ${url} runs already`);
      const started = run(more);
      running = started;
      const from = written.length;
      while (!(await answers(url))) {
        if (started.isOver) throw new Error(`The service ended before it answered: ${written.slice(from).join('')}`);
        await delay(LOOK_AGAIN_MS);
      }
      if (!started.isOver) uptimes.push({ from: Date.now(), to: null });
    },
    signal(signal) {
      if (DISTURBING.has(signal)) closeLast(uptimes);
      running?.child.kill(signal);
    },
    async end(signal = 'SIGKILL') {
      closeLast(uptimes);
      if (running === null) return null;
      if (!running.isOver) running.child.kill(signal);
      return running.ended;
    },
  };
}

function closeLast(uptimes: readonly Uptime[]): void {
  const last = uptimes.at(-1);
  if (last !== undefined) last.to ??= Date.now();
}

function inherited(): Record<string, string> {
  return Object.fromEntries(INHERITED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/livez`, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
}
