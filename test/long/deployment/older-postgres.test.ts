import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { chown, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { chooseRunner, run } from '../../../src/database/embedded-postgres/runner.ts';
import { withClient } from '../../../src/database/connection.ts';
import { openFolder } from '../../support/data-folder.ts';
import { whereInstalled } from '../../support/installed.ts';
import { until } from '../../support/poll.ts';
import { databaseUrl, launch } from '../../support/process.ts';

/* The server of the system's packages, which is older than the embedded one. */

async function startSystemsPostgres(opened: AsyncDisposableStack) {
  const bin = dirname(realpathSync(execFileSync('which', ['initdb'], { encoding: 'utf8' }).trim()));
  const programs = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), pgCtl: join(bin, 'pg_ctl') };
  const folder = await openFolder('hourcast-older-');
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const runner = await chooseRunner(programs, [folder]);
  if (runner.owner) await chown(folder, runner.owner.uid, runner.owner.gid);
  const cluster = join(folder, 'cluster');
  const command = (...parameters: readonly string[]) => run(runner, parameters, { cwd: folder });
  await command(programs.initdb, '--auth=trust', '--username=postgres', '--no-sync', `--pgdata=${cluster}`);
  const options = `-p 5432 -k "${folder}" -c listen_addresses= -c fsync=off`;
  await command(programs.pgCtl, 'start', '-w', '-s', '-D', cluster, '-l', join(folder, 'log'), '-o', options);
  opened.defer(async () => void (await command(programs.pgCtl, 'stop', '-s', '-D', cluster, '-m', 'immediate')));
  return { host: folder, port: 5432, user: 'postgres', database: 'postgres' };
}

whereInstalled(['initdb'], 'the service on an older PostgreSQL', () =>
  test('the service migrates, accepts a prediction and scores it on the PostgreSQL of the system’s packages', async () => {
    await using opened = new AsyncDisposableStack();
    const connection = await startSystemsPostgres(opened);
    const version = await withClient(connection, (client) =>
      client.query<{ n: number }>(`select current_setting('server_version_num')::int as n`),
    );
    expect(version.rows[0]?.n).toBeLessThan(180_000);
    const service = opened.use(await launch({ DATABASE_URL: databaseUrl(connection), CLOCK_SPEED: '600' }));
    const { api_key: key } = (await service.post('/api/agents/register', { name: 'on-an-older-one' })).body;
    await until('a prediction', async () => {
      const { round } = (await service.get('/api/rounds/current')).body;
      const prediction = { round_id: round?.id, prediction: round?.choices[0], confidence: 60 };
      return (await service.post('/api/predictions', prediction, key)).status === 201;
    });
    await until('its score', async () => {
      const { recent_predictions: recent } = (await service.get('/api/me', key)).body;
      return recent[0]?.score != null;
    });
    expect((await service.end()).code).toBe(0);
  }),
);
