import { expect, test } from '@jest/globals';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureCluster } from '../../src/database/embedded-postgres/cluster.ts';

test.each([
  ['is flushed to disk if it must survive a power failure', true],
  ['is not flushed if it is temporary', false],
])('a new cluster %s', async (_name, durable) => {
  const folder = await mkdtemp(join(tmpdir(), 'cluster-'));
  try {
    const initdb = join(folder, 'initdb');
    const said = join(folder, 'said');
    await writeFile(initdb, `#!/bin/sh\necho "$@" > '${said}'\n`);
    await chmod(initdb, 0o755);
    const programs = { initdb, postgres: '', pgCtl: '' };
    await ensureCluster(join(folder, 'postgres'), { programs, runner: { launcher: [] }, durable });
    expect((await readFile(said, 'utf8')).includes('--no-sync')).toBe(!durable);
  } finally {
    await rm(folder, { recursive: true });
  }
});
