import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** An hour in 30 seconds on prices that need no internet, and nobody is kept from trying. */
const SETTINGS = {
  MARKET: 'simulated',
  CLOCK_SPEED: '120',
  RATE_LIMITS: 'off',
  // Of whoever tries them on this machine.
  WEBHOOKS: 'any',
  LOG_LEVEL: 'warn',
  LOG_FORMAT: 'pretty',
};

/** Within this a signal to the whole group has reached everybody, in real milliseconds. */
const NOTICED_MS = 250;

/** What goes on beside the service. */
interface Company {
  /** Where the service keeps its data, and its company its own, unless `DATA_DIR` says otherwise. */
  readonly dataDir: string;
  /** Begun when the service listens; ends with `signal`. */
  readonly beside: (running: Running) => Promise<void>;
}

interface Running {
  readonly url: string;
  readonly dataDir: string;
  /** How long an hour lasts, such as `30 seconds`. */
  readonly hour: string;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Runs the service with a fast clock, and its company beside it, until Ctrl-C; the caller's variables replace the settings. */
export async function runFastService({ dataDir: usualDir, beside }: Company): Promise<void> {
  const ending = new AbortController();
  const dataDir = process.env['DATA_DIR'] || usualDir;
  const service = spawn(process.execPath, [fileURLToPath(new URL('../bin/hourcast.js', import.meta.url))], {
    env: { ...SETTINGS, ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const hour = hourAt(Number(process.env['CLOCK_SPEED'] || SETTINGS.CLOCK_SPEED));
  const ended = once(service, 'exit');
  const stop = (): void => {
    ending.abort();
    service.kill('SIGTERM');
  };
  // A reader that has enough, such as `head`, ends all of it.
  process.stdout.on('error', stop);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // Before the service ends: what is asked of it meanwhile fails, and nobody needs to know.
      if (!ending.signal.aborted) say('Stopping');
      stop();
    });
  }
  let begun = false;
  createInterface({ input: service.stdout }).on('line', (line) => {
    say(line);
    const [url] = /http:\/\/[\w.:[\]-]+/.exec(line) ?? [];
    if (url === undefined || begun) return;
    begun = true;
    beside({ url, dataDir, hour, say, signal: ending.signal }).catch(async (error: unknown) => {
      // At Ctrl-C the service may be gone before this is told to end.
      await delay(NOTICED_MS);
      if (!ending.signal.aborted) say(String(error));
    });
  });
  const [code] = await ended;
  // As the service says itself at a level that is not shown here.
  if (ending.signal.aborted && code === 0) say('Stopped');
  ending.abort();
  process.exitCode = typeof code === 'number' ? code : 1;
}

/** An hour's length by a clock of this speed, as people say it. */
function hourAt(speed: number): string {
  const seconds = 3_600 / speed;
  const [value, unit] = seconds >= 120 ? [seconds / 60, 'minute'] : [seconds, 'second'];
  return `${Number(value.toFixed(1))} ${unit}${value === 1 ? '' : 's'}`;
}
