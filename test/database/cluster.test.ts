import { expect, test } from '@jest/globals';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ensureCluster } from '../../src/database/embedded-postgres/cluster.ts';
import { scopedFolder } from '../support/own-folder.ts';

test.each([
  ['is flushed to disk if it must survive a power failure', true],
  ['is not flushed if it is temporary', false],
])('a new cluster %s', async (_name, durable) => {
  await using folder = await scopedFolder();
  const initdb = join(folder.path, 'initdb');
  const words = join(folder.path, 'words');
  await writeFile(initdb, `#!/bin/sh\necho "$@" > '${words}'\n`);
  await chmod(initdb, 0o755);
  const programs = { initdb, postgres: '', pgCtl: '' };
  await ensureCluster(join(folder.path, 'postgres'), { programs, runner: { launcher: [] }, durable });
  expect((await readFile(words, 'utf8')).includes('--no-sync')).toBe(!durable);
});
