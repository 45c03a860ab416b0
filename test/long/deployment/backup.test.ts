import { expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { blockWith } from '../../support/document-blocks.ts';
import { describeWith } from '../../support/installed.ts';
import { until } from '../../support/poll.ts';
import { databaseUrl, launch } from '../../support/process.ts';
import { startRedis } from '../../support/redis.ts';
import { installedPostgres, SERVER_INSTALLED } from './installed-postgres.ts';
import { OPERATING, shell } from './shell.ts';

const [BACK_UP = '', REST = ''] = blockWith(OPERATING, 'pg_dump -Fc').split(/^# restore.*\n/m);
const [RESTORE = '', VERIFY = ''] = REST.split(/^(?=npm run verify)/m);
/** What the document has the numbers of events go on by. */
const AHEAD = 1_000_000;

describeWith(['pg_dump', 'psql', 'redis-cli', SERVER_INSTALLED], 'backup and restore of docs/operating.md', () => {
  test('a dump that was made while the service ran is restored, verified, and rounds and numbers of events go on', async () => {
    await using stack = new AsyncDisposableStack();
    const { connection } = stack.use(await installedPostgres());
    const redis = stack.use(await startRedis());
    const folder = await mkdtemp(join(tmpdir(), 'hourcast-test-dump-'));
    stack.defer(() => rm(folder, { recursive: true }));
    const environment = {
      OWNER_URL: databaseUrl(connection),
      REDIS_URL: redis.url,
      PGHOST: connection.host,
      PGPORT: String(connection.port),
      PGUSER: connection.user,
    };
    const start = () =>
      launch({ DATABASE_URL: environment.OWNER_URL, REDIS_URL: redis.url, CLOCK_SPEED: '720', MARKET: 'simulated' });
    const lastSeq = async (service: Awaited<ReturnType<typeof start>>): Promise<number> => {
      const { body } = await service.post('/graphql', { query: '{ health { lastSeq } }' });
      return body.data.health.lastSeq;
    };

    await shell('createdb hourcast', environment);
    const first = stack.use(await start());
    await first.post('/api/agents/register', { name: 'before' });
    await until('a round is resolved', async () => (await first.get('/api/stats')).body.total_competitions > 1);
    await shell(BACK_UP, environment, folder);
    const seq = await lastSeq(first);
    await first.post('/api/agents/register', { name: 'after' });
    expect((await first.end()).code).toBe(0);

    await shell(RESTORE, environment, folder);
    const second = stack.use(await start());
    expect((await second.get('/api/agents?name=before')).status).toBe(200);
    expect((await second.get('/api/agents?name=after')).status).toBe(404);
    const { total_competitions: decided } = (await second.get('/api/stats')).body;
    await until('another is', async () => (await second.get('/api/stats')).body.total_competitions > decided);
    expect(await lastSeq(second)).toBeGreaterThan(seq + AHEAD / 2);
    const { stdout } = await shell(VERIFY.replace('http://127.0.0.1:3000', second.url), environment);
    expect(stdout).toMatch(/no difference/i);
  });
});
