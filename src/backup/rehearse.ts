import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { temporaryConfig, withService } from '../app/temporary-service.ts';
import type { Variables } from '../command-line.ts';
import { onEmbedded } from '../database/on-database.ts';
import { verifyCommand } from '../verify/command-line.ts';
import { command, restoring } from './command-line.ts';
import { restore } from './restore.ts';

export const rehearseCommand = command(
  'rehearse FOLDER    restores a backup into a temporary database, starts the service on it, runs `npm run verify` and removes it',
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
  const place = await mkdtemp(join(tmpdir(), 'hourcast-rehearsal-'));
  try {
    const config = temporaryConfig({ ...environment, ...NOT_SHARED, DATA_DIR: join(place, 'data') });
    return await onEmbedded(config.dataDir, async (connection) => {
      await restore(connection, folder, restoring());
      // With jobs: what followed a resolution may have been left out by a backup in that moment.
      const { code, stderr = '' } = await withService(config, (url) => verifyCommand(['--url', url]));
      process.stderr.write(stderr);
      return code === 0;
    });
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
