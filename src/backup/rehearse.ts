import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import type { Variables } from '../command-line.ts';
import type { Config } from '../config.ts';
import { verifyCommand } from '../verify/command-line.ts';
import { onEmbedded } from './database.ts';
import type { Progress } from './manifest.ts';
import { restore } from './restore.ts';

const SERVICE = fileURLToPath(new URL('../../bin/hourcast.js', import.meta.url));

/** Settings that the rehearsal must not share with the source. */
const NOT_SHARED = ['DATABASE_URL', 'DATABASE_READ_URL', 'REDIS_URL', 'ADMIN_TOKEN'];

/** Settings of the temporary service: only the verification calls it, and it sends no requests to the outside. */
const BESIDE = {
  HOST: '127.0.0.1',
  PORT: '0',
  ROLE: 'all',
  RATE_LIMITS: 'off',
  WEBHOOKS: 'off',
  LOG_LEVEL: 'warn',
  LOG_FORMAT: 'json',
};

/**
 * Restores a backup into a temporary folder, starts the service on it, recomputes all that it publishes, and removes
 * everything. Returns whether nothing differed; the verification prints to standard output.
 */
export async function rehearse(
  folder: string,
  environment: Variables,
  progress: { readonly checking: Progress; readonly loading: Progress },
): Promise<boolean> {
  await using stack = new AsyncDisposableStack();
  const place = await mkdtemp(join(tmpdir(), 'hourcast-rehearsal-'));
  stack.defer(() => rm(place, { recursive: true, force: true }));
  const dataDir: Config['dataDir'] = join(place, 'data');
  await onEmbedded(dataDir, (connection) => restore(connection, folder, progress));
  const shared = Object.entries(environment).filter(([name]) => !NOT_SHARED.includes(name));
  const env = { ...Object.fromEntries(shared), ...BESIDE, DATA_DIR: dataDir };
  const service = spawn(process.execPath, [SERVICE], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(service, 'exit');
  stack.defer(async () => {
    service.kill('SIGTERM');
    await ended;
  });
  const url = await addressOf(service);
  const { code, stderr = '' } = await verifyCommand(['--url', url]);
  process.stderr.write(stderr);
  return code === 0;
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('The service writes to a pipe');
  for await (const line of createInterface(stdout)) {
    const [, url] = /Hourcast listens on (http:\S+),/.exec(line) ?? [];
    if (url === undefined) continue;
    stdout.resume();
    return url;
  }
  throw new Error('The service did not start on the restored backup');
}
