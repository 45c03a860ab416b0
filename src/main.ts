import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { App } from './app/app.ts';
import { misspelt, packageVersion, replyTo } from './command-line.ts';
import { type Config, readConfig, secretsOf } from './config.ts';
import { DENIED, hasCode, isOutOfReach, reason } from './database/failures.ts';
import { withTimeout } from './deadline.ts';
import { type Logger, makeLogger, openLogOutput } from './logger.ts';
import { StartError } from './rules/errors.ts';
import { SECOND } from './rules/hours.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Supervisors kill after ten seconds; the next start recovers unfinished work. */
const MAX_STOP_MS = 9.5 * SECOND;

const backup = () => import('./backup/command-line.ts');
const COMMANDS = new Map([
  ['admin', async () => (await import('./operating/command-line.ts')).adminCommand],
  ['archive', async () => (await backup()).archiveCommand],
  ['backup', async () => (await backup()).backupCommand],
  ['candles', async () => (await import('./candles/command-line.ts')).candlesCommand],
  ['restore', async () => (await backup()).restoreCommand],
  ['doctor', async () => (await import('./doctor/command-line.ts')).doctorCommand],
  ['site', async () => (await import('./site/command-line.ts')).siteCommand],
  ['rehearse', async () => (await import('./backup/rehearse.ts')).rehearseCommand],
  ['verify', async () => (await import('./verify/command-line.ts')).verifyCommand],
]);

const [first = '', ...words] = process.argv.slice(2);
const open = COMMANDS.get(first);
try {
  if (open === undefined) await main();
  else {
    const { code, stdout = '', stderr = '' } = await (await open())(words, process.env);
    process.stdout.write(stdout);
    process.stderr.write(stderr);
    process.exitCode = code;
  }
} catch (error) {
  process.stderr.write(`${explained(error)}\n`);
  process.exit(1);
}

async function main(): Promise<void> {
  const ending = new AbortController();
  // Not `once`: npm repeats the terminal's signal, and a second one must not interrupt the stop.
  const signalled = Promise.race(SIGNALS.map((signal) => new Promise((resolve) => process.on(signal, resolve))));
  void signalled.then(() => ending.abort());
  const reply = replyTo(process.argv.slice(2), packageVersion());
  if (reply !== null) {
    process.stdout.write(`${reply}\n`);
    return;
  }
  const config = readConfig(process.env);
  const format = config.logFormat ?? (process.stdout.isTTY ? 'pretty' : 'json');
  const log = makeLogger(config.logLevel, await openLogOutput(format), secretsOf(config));
  logSettings(config, log);
  // `--help` and refused settings do not wait for 2,000 modules.
  const { startApp } = await import('./app/app.ts');
  const starting = startApp(config, log, ending.signal);
  const app = await Promise.race([starting, signalled.then(() => null)]);
  if (app !== null) announce(app, { config, log, format });
  await signalled;
  await stop(starting, log);
  process.exit(0);
}

function logSettings({ inEffect }: Config, log: Logger): void {
  for (const { name, meant } of misspelt(Object.keys(process.env))) {
    log.warn(`${name} is not a setting and is ignored; did you mean ${meant}?`);
  }
  log.info({ settings: inEffect }, 'Settings in effect');
}

/** Written at every log level: the operator waits for it. */
function announce(app: App, { config, log, format }: { config: Config; log: Logger; format: string }): void {
  const { url, prices } = app;
  const sentence = `Hourcast listens on ${url}${prices === null ? '' : `, with prices from: ${prices.source}`}`;
  if (format === 'json') log.child({}, { level: 'info' }).info(sentence);
  else process.stdout.write(`${sentence}\n${isOpenToAll(config) ? whatToOpen(url) : ''}`);
  if (prices?.warning) log.warn(prices.warning);
}

function isOpenToAll({ role }: Config): boolean {
  return role === 'all' || role === 'api';
}

function whatToOpen(url: string): string {
  return [
    ['what there is', `${url}/`],
    ['the question of this hour', `${url}/api/rounds/current`],
    ['GraphQL, with an IDE', `${url}/graphql`],
    ['first steps', pathOf('README.md')],
    ['settings', pathOf('docs/settings.md')],
    ['running it for others', pathOf('docs/operating.md')],
  ]
    .map(([what = '', where = '']) => `  ${what.padEnd(28)}${where}\n`)
    .join('');
}

/** From here, wherever the package is installed. */
function pathOf(file: string): string {
  return relative('.', fileURLToPath(new URL(`../${file}`, import.meta.url)));
}

async function stop(starting: Promise<App>, log: Logger): Promise<void> {
  log.info('Stopping');
  let stopped = false;
  const stopping = starting.then(
    (app) => app.stop(),
    () => {},
  );
  await withTimeout(
    MAX_STOP_MS,
    stopping.then(() => void (stopped = true)),
  );
  if (stopped) log.info('Stopped');
  else log.warn('Shutdown timed out; exiting');
}

/** One sentence about what the operator can mend, and a stack trace of anything else. */
function explained(error: unknown): string {
  if (error instanceof StartError) return error.message;
  const isOfSystem = error instanceof Error && 'syscall' in error;
  if (isOfSystem || isOutOfReach(error) || hasCode(error, DENIED)) return reason(error);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
