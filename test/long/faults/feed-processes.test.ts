import { expect, test } from '@jest/globals';

import { ownPostgres } from '../../faults/own-postgres.ts';
import { startLoad } from '../../faults/load.ts';
import { deployment } from '../../support/deployment.ts';
import { databaseUrl } from '../../support/process.ts';
import { startRedis } from '../../support/redis.ts';
import { describeWithRedis } from '../../support/redis-installed.ts';
import { seeded } from '../../support/seeded.ts';
import { snapshot } from '../../support/snapshot.ts';
import { socketSubscriber, streamSubscriber } from '../../support/subscriber.ts';

const SPEED = 1_200;
const KILLS = Number(process.env['FEED_KILLS'] ?? 20);
/** A database's sessions bear its process' name. */
const FEEDS = ['feed-0', 'feed-1'];
const SESSIONS = `select count(*)::int as n from pg_stat_activity where application_name = any(array['${FEEDS.join("','")}'])`;
const LAST = 'select last_seq as seq from platform';

describeWithRedis('two feed processes', () => {
  test(`${KILLS} kills of feed processes, workers and Redis lose, double and reorder no event`, async () => {
    await using redis = await startRedis();
    await using postgres = await ownPostgres();
    const { connection } = postgres;
    const settings = { CLOCK_SPEED: String(SPEED), DATABASE_URL: databaseUrl(connection), REDIS_URL: redis.url };
    await using site = await deployment(settings, [
      { ROLE: 'api' },
      { ROLE: 'worker' },
      { ROLE: 'worker' },
      ...FEEDS.map((name) => ({ ROLE: 'feed', PGAPPNAME: name })),
    ]);
    await Promise.all(site.processes.map((process) => process.start()));
    const [api, ...killed] = site.processes;
    const urls = site.processes.slice(-FEEDS.length).map(({ url }) => url);
    await using load = startLoad({ seed: 7, agents: 6, urls: [api?.url ?? ''], speed: SPEED });
    const subscribers = [...urls, ...urls].map((url, place) =>
      (place % 2 === 0 ? socketSubscriber : streamSubscriber)(`subscriber ${place}`, [url, ...urls]),
    );
    await using stack = new AsyncDisposableStack();
    for (const one of subscribers) stack.use(one);
    const random = seeded(39);
    for (let kills = 0; kills < KILLS; kills += 1) {
      const process = killed[random.between(0, killed.length)];
      if (process === undefined) {
        await redis.kill();
        await redis.start();
      } else {
        await process.end('SIGKILL');
        await process.start();
      }
      const [{ seq } = { seq: 0 }] = await snapshot(connection, (ask) => ask<{ seq: number }>(LAST));
      await Promise.all(subscribers.map((one) => one.reaches(seq + 1)));
    }
    await load.stop();
    expect(subscribers.flatMap(({ faults }) => faults)).toEqual([]);
    expect(await snapshot(connection, (ask) => ask(SESSIONS))).toEqual([{ n: 0 }]);
    for (const process of site.processes) expect((await process.end('SIGTERM'))?.code).toBe(0);
  });
});
