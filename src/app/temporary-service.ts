import type { Variables } from '../command-line.ts';
import { type Config, readConfig, secretsOf } from '../config.ts';
import { USUAL_CONNECTIONS } from '../database/connection-shares.ts';
import { onDatabase } from '../database/on-database.ts';
import { withTimeout } from '../deadline.ts';
import { makeLogger } from '../logger.ts';
import { SECOND } from '../rules/hours.ts';
import { startApp } from './app.ts';

const MAX_STOP_MS = 10 * SECOND;

/** Only this program calls it, on a free port. It sends nothing: no webhooks, and no checkpoints to witnesses. */
const BESIDE = {
  HOST: '127.0.0.1',
  PORT: '0',
  ROLE: 'all',
  RATE_LIMITS: 'off',
  WEBHOOKS: 'off',
  LOG_WITNESSES: '',
  REDIS_URL: '',
  DATABASE_CONNECTIONS: String(USUAL_CONNECTIONS),
};

/** The settings of a temporary service beside the one of `variables`. Throws a `StartError`. */
export function temporaryConfig(variables: Variables): Config {
  return readConfig({ ...variables, ...BESIDE });
}

/**
 * Runs `work` with a service on the database of the settings. With the role `api` the service has no jobs, and may run
 * beside the one of that database. Throws a `StartError`.
 */
export async function withService<Result>(
  config: Config,
  work: (url: string) => Promise<Result>,
  signal = new AbortController().signal,
): Promise<Result> {
  return onDatabase(config, async ({ host, port, user, database }) => {
    const search = new URLSearchParams({ host, port: String(port), user });
    const { databaseUrl = `postgresql:///${database}?${search.toString()}` } = config;
    const log = makeLogger('error', { write: (line) => void process.stderr.write(line) }, secretsOf(config));
    const app = await startApp({ ...config, databaseUrl }, log, signal);
    return work(app.url).finally(() => withTimeout(MAX_STOP_MS, app.stop()));
  });
}
