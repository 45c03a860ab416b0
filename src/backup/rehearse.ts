import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { temporaryConfig, withService } from '../app/temporary-service.ts';
import type { Variables } from '../command-line.ts';
import { onEmbedded } from '../database/on-database.ts';
import { StartError } from '../rules/errors.ts';
import { verifyCommand } from '../verify/command-line.ts';
import { command, restoring } from './command-line.ts';
import { restore } from './restore.ts';

export const rehearseCommand = command(
  'rehearse FOLDER    restores a backup into a temporary database, starts the service on it, verifies its results and removes it',
  async ([folder = ''], environment) =>
    (await rehearse(folder, environment))
      ? { code: 0, stdout: 'The backup can be restored, and verification found no differences.\n' }
      : { code: 1, stderr: 'The backup can be restored, but verification found the differences above.\n' },
);

/** Settings that the rehearsal must not share with the source. */
const NOT_SHARED = { DATABASE_URL: '', DATABASE_READ_URL: '', ADMIN_TOKEN: '' };

/**
 * Restores a backup into a temporary folder, starts the service on it, recomputes all that it publishes, and removes
 * everything. Returns whether nothing differed; the verification prints to standard output. Throws a `StartError`.
 */
async function rehearse(folder: string, environment: Variables): Promise<boolean> {
  return endedBySignals(async (signal) => {
    const place = await mkdtemp(join(tmpdir(), 'hourcast-rehearsal-'));
    try {
      const config = temporaryConfig({ ...environment, ...NOT_SHARED, DATA_DIR: join(place, 'data') });
      return await onEmbedded(config.dataDir, async (connection) => {
        await until(signal, restore(connection, folder, restoring()));
        // With jobs: what followed a resolution may have been left out by a backup in that moment.
        const verified = (url: string) => until(signal, verifyCommand(['--url', url]));
        const { code, stderr = '' } = await withService(config, verified, signal);
        process.stderr.write(stderr);
        return code === 0;
      });
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  });
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Signals abort the work. They end the process once it has cleaned up. */
async function endedBySignals<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const ending = new AbortController();
  const received: NodeJS.Signals[] = [];
  const onSignal = (signal: NodeJS.Signals): void => {
    received.push(signal);
    ending.abort(new StartError('The rehearsal was interrupted.'));
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    return await work(ending.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    const [first] = received;
    if (first !== undefined) process.kill(process.pid, first);
  }
}

/** Rejects at the abort; the work itself continues. */
async function until<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort);
  return Promise.race([work, aborted.promise]);
}
