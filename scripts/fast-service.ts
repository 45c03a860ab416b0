import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** An hour in 30 seconds, with prices that need no internet, and without limits. */
const SETTINGS = {
  MARKET: 'simulated',
  CLOCK_SPEED: '120',
  RATE_LIMITS: 'off',
  // Receivers run on this machine.
  WEBHOOKS: 'any',
  LOG_LEVEL: 'warn',
  LOG_FORMAT: 'pretty',
};

/** A signal to the process group has reached everybody after this time, in real milliseconds. */
const NOTICED_MS = 250;

interface Company {
  /** The default data folder of the service and its companion; `DATA_DIR` overrides it. */
  readonly dataDir: string;
  /** Runs while the service listens; ends with `signal`. */
  readonly beside: (running: Running) => Promise<void>;
}

interface Running {
  readonly url: string;
  readonly dataDir: string;
  /** The length of an hour, such as `30 seconds`. */
  readonly hour: string;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Runs the service with a fast clock and its companion until Ctrl-C; the caller's variables override the settings. */
export async function runFastService({ dataDir: usualDir, beside }: Company): Promise<void> {
  const [, , command = '', word] = process.argv;
  if (word !== undefined) {
    process.stderr.write(
      `${command} must have no argument (got ${word}); settings are environment variables, such as CLOCK_SPEED=60.\n`,
    );
    process.exitCode = 1;
    return;
  }
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
  // A reader that has enough, such as `head`, ends everything.
  process.stdout.on('error', stop);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // Errors during the stop are expected.
      if (!ending.signal.aborted) print('Stopping');
      stop();
    });
  }
  let begun = false;
  createInterface({ input: service.stdout }).on('line', (line) => {
    print(line);
    const [url] = /http:\/\/[\w.:[\]-]+/.exec(line) ?? [];
    if (url === undefined || begun) return;
    begun = true;
    beside({ url, dataDir, hour, print, signal: ending.signal }).catch(async (error: unknown) => {
      // The service may have got the same Ctrl-C earlier.
      await delay(NOTICED_MS);
      if (!ending.signal.aborted) print(String(error));
    });
  });
  const [code] = await ended;
  // The service logs this itself, at a level that is hidden here.
  if (ending.signal.aborted && code === 0) print('Stopped');
  ending.abort();
  process.exitCode = typeof code === 'number' ? code : 1;
}

/** For people. */
function hourAt(speed: number): string {
  const seconds = 3_600 / speed;
  const [value, unit] = seconds >= 120 ? [seconds / 60, 'minute'] : [seconds, 'second'];
  return `${Number(value.toFixed(1))} ${unit}${value === 1 ? '' : 's'}`;
}
