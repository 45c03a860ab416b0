import { expect, test } from '@jest/globals';

import { arenaUnderFault } from '../../faults/arena-under-fault.ts';
import { replicatedPostgres } from '../../faults/replicated-postgres.ts';
import { deployment } from '../../support/deployment.ts';
import { untilDespiteFaults } from '../../support/poll.ts';
import { describeWithRedis } from '../../support/redis-installed.ts';
import { startRedis } from '../../support/redis.ts';
import { shared, sharedDisposable } from '../../support/shared.ts';

const SPEED = 600;
const PROCESSES = 4;
const LONGEST_MS = 5_000;

describeWithRedis('four processes with both servers in DATABASE_URL', () => {
  const postgres = sharedDisposable(async () => {
    const replicated = await replicatedPostgres();
    await replicated.makeSynchronous();
    return replicated;
  });
  const site = shared(async (closing) => {
    const redis = closing.use(await startRedis());
    const servers = [postgres.primary.connection, postgres.standby.connection];
    const hosts = servers.map(({ host }) => encodeURIComponent(host)).join(',');
    const ports = servers.map(({ port }) => port).join(',');
    const url = `postgresql://postgres@/hourcast?host=${hosts}&port=${ports}&target_session_attrs=read-write`;
    const settings = { CLOCK_SPEED: String(SPEED), DATABASE_URL: url, REDIS_URL: redis.url };
    const started = closing.use(
      await deployment(
        settings,
        Array.from({ length: PROCESSES }, () => ({})),
      ),
    );
    await started.start();
    return started;
  });
  let isPromoted = false;
  const arena = sharedDisposable(() =>
    arenaUnderFault({
      urls: site.urls,
      connection: async () => (isPromoted ? postgres.standby : postgres.primary).connection,
      speed: SPEED,
      seed: 7,
    }),
  );

  test('running processes write again within 5 s of the promotion of a standby', async () => {
    const before = site.processes.map(({ pid }) => pid);
    await arena.undergo({
      name: 'primary killed (SIGKILL), its standby promoted, four processes left as they are',
      async happen(during) {
        await postgres.primary.kill();
        await postgres.promote();
        isPromoted = true;
        const promoted = performance.now();
        const accepted = during.countOf(201);
        await untilDespiteFaults('writes are accepted', () => during.countOf(201) > accepted);
        expect(performance.now() - promoted).toBeLessThan(LONGEST_MS + 2 * arena.machineMs());
      },
    });
    expect(site.processes.map(({ pid }) => pid)).toEqual(before);
  });
});
