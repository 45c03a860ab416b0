import { Client } from 'pg';

import { databaseUrl } from '../support/process.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { deployment } from '../support/deployment.ts';
import { type Decided, decisionsIn } from './decisions.ts';
import { ownPostgres, type OwnPostgres } from './own-postgres.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { snapshot } from '../support/snapshot.ts';
import { untilDespiteFaults } from '../support/poll.ts';

/** Two processes that serve and two that work, on one Redis and one PostgreSQL. */
export interface RedisSite extends AsyncDisposable {
  readonly redis: TestRedis;
  readonly postgres: OwnPostgres;
  readonly apis: readonly [ServiceProcess, ServiceProcess];
  readonly workers: readonly [ServiceProcess, ServiceProcess];
  /** A third that serves, and counts requests. */
  readonly counting: ServiceProcess;
  /** The decisions so far, in their order, and how often each round was decided. */
  decisions(): Promise<readonly Decided[]>;
  /** Resolves when so many more rounds have been decided than at the call. */
  decides(rounds: number): Promise<void>;
  /** Holds up the next resolution in the midst of its transaction, and answers the worker that stands there. */
  heldInResolution(): Promise<{ readonly worker: ServiceProcess; letGo(): Promise<void> }>;
}

/** Sessions of a worker bear its name. */
const WORKERS = ['worker-0', 'worker-1'];

const WHO_WAITS = `
  select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
  where not l.granted and l.relation = 'field_tallies'::regclass and l.mode = 'RowExclusiveLock'`;

/** Starts all of it; an hour passes in `3600 / speed` seconds. */
export async function redisSite(speed: number): Promise<RedisSite> {
  await using opened = new AsyncDisposableStack();
  const [redis, postgres] = [opened.use(await startRedis()), opened.use(await ownPostgres())];
  const { connection } = postgres;
  const site = opened.use(
    await deployment({ CLOCK_SPEED: String(speed), DATABASE_URL: databaseUrl(connection), REDIS_URL: redis.url }, [
      { ROLE: 'api' },
      { ROLE: 'api' },
      ...WORKERS.map((name) => ({ ROLE: 'worker', PGAPPNAME: name })),
      { ROLE: 'api', RATE_LIMITS: 'on' },
    ]),
  );
  // All at once, as they are when a machine boots.
  await Promise.all(site.processes.map((process) => process.start()));
  const [api, otherApi, worker, otherWorker, counting] = site.processes;
  if (!api || !otherApi || !worker || !otherWorker || !counting) throw new Error('A process is missing');
  const workers = [worker, otherWorker] as const;
  const decisions = () => decisionsIn(connection);
  const kept = opened.move();
  return {
    redis,
    postgres,
    apis: [api, otherApi],
    workers,
    counting,
    decisions,
    async decides(rounds) {
      const { length } = await decisions();
      await untilDespiteFaults(
        `${rounds} more rounds are decided`,
        async () => (await decisions()).length >= length + rounds,
      );
    },
    async heldInResolution() {
      const barrier = new Client(connection);
      // A test that fails takes the server away before this.
      barrier.on('error', () => {});
      await barrier.connect();
      await barrier.query('begin');
      await barrier.query('lock table field_tallies in share mode');
      let held: ServiceProcess | undefined;
      await untilDespiteFaults('a worker is in the midst of a resolution', async () => {
        const [who] = await snapshot(connection, (ask) => ask<{ name: string }>(WHO_WAITS));
        held = workers.find((_, index) => WORKERS[index] === who?.name);
        return held !== undefined;
      });
      if (held === undefined) throw new Error('No worker was held');
      return { worker: held, letGo: () => barrier.end() };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
