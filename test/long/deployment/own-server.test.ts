import { expect, test } from '@jest/globals';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { stopEmbeddedPostgres } from '../../../src/database/embedded-postgres.ts';
import { giveCluster } from '../../../src/database/embedded-postgres/cluster.ts';
import { stopPostmaster } from '../../../src/database/embedded-postgres/postmaster.ts';
import { chooseRunner, locatePrograms, run } from '../../../src/database/embedded-postgres/runner.ts';
import { copyPostgres, openFolder, preparePostgres } from '../../support/data-folder.ts';
import { fixedPort } from '../../support/fixed-port.ts';
import { blockWith } from '../../support/document-blocks.ts';
import { describeWith } from '../../support/installed.ts';
import { launch } from '../../support/process.ts';
import { OPERATING } from './shell.ts';

describeWith(['psql'], 'from the embedded PostgreSQL to one’s own, as in docs/operating.md', () => {
  test('a PostgreSQL 18 that is started on a copy of the folder has its agents, and takes the password over TCP', async () => {
    await using stack = new AsyncDisposableStack();
    const folder = await openFolder(`hourcast-test-${process.pid}-`);
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    const dataDir = join(folder, 'data');
    await mkdir(dataDir);
    preparePostgres(dataDir);
    stack.defer(() => stopEmbeddedPostgres(dataDir));
    const embedded = stack.use(await launch({ DATA_DIR: dataDir }));
    await embedded.post('/api/agents/register', { name: 'moved' });
    expect((await embedded.end()).code).toBe(0);

    const [cluster, port] = [join(folder, 'own'), String(await fixedPort())];
    copyPostgres(join(dataDir, 'postgres'), cluster);
    const programs = await locatePrograms();
    const runner = await chooseRunner(programs, [folder]);
    await giveCluster(cluster, runner);
    const block = blockWith(OPERATING, 'pg_ctl start', {
      '/srv/hourcast/postgres': cluster,
      "'...'": "'a-password'",
      ' -o ': ' -w -l postgres.log -o ',
    });
    stack.defer(() => stopPostmaster(cluster));
    await run(runner, ['bash', '-ec', block], {
      cwd: cluster,
      environment: { PATH: `${dirname(programs.pgCtl)}:/usr/bin:/bin`, PGPORT: port },
    });
    const url = (password: string) => `postgresql://postgres:${password}@127.0.0.1:${port}/hourcast`;
    await expect(launch({ DATABASE_URL: url('another') })).rejects.toThrow(/password/);
    const own = stack.use(await launch({ DATABASE_URL: url('a-password') }));
    expect((await own.get('/api/agents?name=moved')).status).toBe(200);
  });
});
