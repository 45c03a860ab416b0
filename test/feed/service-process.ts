import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { stopEmbeddedPostgres } from '../../src/backplane/embedded-postgres.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const LISTENS = /listens on (http:\/\/\S+),/;

/** The real service as a process of its own, on a data folder of its own. */
export interface ServiceProcess extends AsyncDisposable {
  readonly url: string;
  /** Ends it without a word, as when the machine fails. */
  kill(): Promise<void>;
  /** Starts it again on the same folder, at the same address. */
  start(): Promise<void>;
}

/** Starts the service with a clock that runs `speed` times as fast as real time, and simulated prices. */
export async function serviceProcess(speed: number): Promise<ServiceProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'hourcast-feed-'));
  // PostgreSQL refuses to run as root: a service started by root runs it as another account, which must be able to enter.
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'data');
  const environment = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    DATA_DIR: dataDir,
    MARKET: 'simulated',
    CLOCK_START: '2026-01-01T12:10:00Z',
    CLOCK_SPEED: String(speed),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  };
  let { child, url } = await run({ ...environment, PORT: '0' });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ended = once(child, 'exit');
    if (child.exitCode === null && child.signalCode === null && child.kill(signal)) await ended;
  };
  return {
    url,
    kill: () => end('SIGKILL'),
    async start() {
      ({ child, url } = await run({ ...environment, PORT: new URL(url).port }));
    },
    async [Symbol.asyncDispose]() {
      await end('SIGTERM');
      await stopEmbeddedPostgres(dataDir);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function run(environment: NodeJS.ProcessEnv): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['bin/hourcast.js'], { cwd: REPOSITORY, env: environment });
  let output = '';
  const url = await new Promise<string>((found, fail) => {
    const take = (chunk: Buffer): void => {
      output += chunk.toString();
      const [, address] = LISTENS.exec(output) ?? [];
      if (address !== undefined) found(address);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('exit', (code) => fail(new Error(`The service ended with ${code}: ${output}`)));
  });
  return { child, url };
}
