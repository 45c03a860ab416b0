import { setTimeout as delay } from 'node:timers/promises';

import { fixedPort } from './fixed-port.ts';
import { begin, type Ended, type Settings, type StartedProcess } from './process.ts';

const LOOK_AGAIN_MS = 10;

/** After these signals it may refuse requests, or not answer. */
const DISTURBING: ReadonlySet<NodeJS.Signals> = new Set(['SIGTERM', 'SIGINT', 'SIGKILL', 'SIGSTOP']);

/** Real time in milliseconds since 1970 in which a process answered; `to` is null while it does. */
export interface Uptime {
  readonly from: number;
  to: number | null;
}

/** The real service as a process, which may be killed and started again at the same address. */
export interface ServiceProcess {
  readonly url: string;
  /** Null while none runs. */
  readonly pid: number | null;
  /** Times in which it answered. */
  readonly uptimes: readonly Uptime[];
  /** The output of all starts. */
  output(): string;
  /** `settings` are added to its own; resolves when its liveness probe answers. Throws if it ends before. */
  start(settings?: Settings): Promise<void>;
  /** Sends the signal without waiting. */
  signal(signal: NodeJS.Signals): void;
  /** Default: SIGKILL. Awaits the end; null if none runs. */
  end(signal?: NodeJS.Signals): Promise<Ended | null>;
}

/** Not started yet; `settings` are its environment without `PORT`, which stays the same over all starts. */
export async function serviceProcess(settings: Settings): Promise<ServiceProcess> {
  const port = String(await fixedPort());
  const url = `http://127.0.0.1:${port}`;
  const starts: StartedProcess[] = [];
  const uptimes: Uptime[] = [];
  return {
    url,
    uptimes,
    get pid() {
      const last = starts.at(-1);
      return last === undefined || isOver(last) ? null : (last.child.pid ?? null);
    },
    output: () => starts.map((started) => started.output()).join(''),
    async start(more = {}) {
      const last = starts.at(-1);
      if (last !== undefined && !isOver(last)) throw new Error(`The service at ${url} runs already`);
      const started = begin({ ...settings, ...more, PORT: port });
      starts.push(started);
      started.child.once('exit', () => closeLast(uptimes));
      while (!(await answers(url))) {
        if (isOver(started)) throw new Error(`The service ended before it answered: ${started.output()}`);
        await delay(LOOK_AGAIN_MS);
      }
      if (!isOver(started)) uptimes.push({ from: Date.now(), to: null });
    },
    signal(signal) {
      if (DISTURBING.has(signal)) closeLast(uptimes);
      starts.at(-1)?.child.kill(signal);
    },
    async end(signal = 'SIGKILL') {
      closeLast(uptimes);
      return (await starts.at(-1)?.end(signal)) ?? null;
    },
  };
}

function isOver({ child }: StartedProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function closeLast(uptimes: readonly Uptime[]): void {
  const last = uptimes.at(-1);
  if (last !== undefined) last.to ??= Date.now();
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/livez`, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
}
