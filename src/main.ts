import { startApp } from './app.ts';
import { SetupError } from './backplane/setup-error.ts';
import { ConfigError, readConfig } from './config.ts';
import { type Logger, makeLogger } from './logger.ts';
import { SECOND } from './rules/hours.ts';
import { secretsOf } from './secrets.ts';
import { waitAtMost } from './wait-at-most.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Supervisors kill what takes longer than ten seconds; whatever is cut off here is found again by the next start. */
const LONGEST_STOP_MS = 9.5 * SECOND;

await main();

async function main(): Promise<void> {
  // Not `once`: npm passes on what the terminal has sent to all, and a second signal must not cut the stop short.
  const signalled = Promise.race(SIGNALS.map((signal) => new Promise((resolve) => process.on(signal, resolve))));
  try {
    const config = readConfig(process.env);
    const log = makeLogger(config.logLevel, process.stdout, secretsOf(config));
    const app = await startApp(config, log);
    announce(app, log);
    await signalled;
    log.info('Stopping');
    let stopped = false;
    await waitAtMost(
      LONGEST_STOP_MS,
      app.stop().then(() => void (stopped = true)),
    );
    if (stopped) log.info('Stopped');
    else log.warn('Stopped without waiting any longer for what does not answer');
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${explained(error)}\n`);
    process.exit(1);
  }
}

function announce(app: Awaited<ReturnType<typeof startApp>>, log: Logger): void {
  process.stdout.write(`Hourcast listens on ${app.url}, with prices from: ${app.marketSource}\n`);
  if (app.marketWarning !== null) log.warn(app.marketWarning);
}

/** Settings are the operator's to mend: their message alone. All else is a fault: with its stack. */
function explained(error: unknown): string {
  if (error instanceof ConfigError || error instanceof SetupError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
