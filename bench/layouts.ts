import { withClient } from '../src/database/connection.ts';
import { createTestDatabase } from '../test/support/database.ts';
import { deployment } from '../test/support/deployment.ts';
import { databaseUrl, type Settings } from '../test/support/process.ts';
import { startRedis } from '../test/support/redis.ts';
import { insertAgents } from './agents.ts';
import { storeUsage } from './store-usage.ts';

/** Processes on one PostgreSQL and one Redis; the first is the baseline. */
export const LAYOUTS = [1, 2, 4, 8] as const;

export type RunningLayout = Awaited<ReturnType<typeof openLayout>>;

/** A layout on its own database. Several processes need redis-server on this machine. */
export async function openLayout(
  count: number,
  {
    stack,
    speed,
    more = {},
  }: { readonly stack: AsyncDisposableStack; readonly speed: number; readonly more?: Settings },
) {
  const { connection, drop } = await createTestDatabase();
  stack.defer(drop);
  const redis = count === 1 ? null : stack.use(await startRedis());
  const settings: Settings = {
    DATABASE_URL: databaseUrl(connection),
    CLOCK_SPEED: String(speed),
    RATE_LIMITS: 'off',
    // A proxy's connections are not counted: those of the turn before may still be closing.
    TRUST_PROXY: 'true',
    ...(redis === null ? {} : { REDIS_URL: redis.url }),
    ...more,
  };
  const rows = Array.from({ length: count }, () => ({ ROLE: 'all' }));
  const site = stack.use(await deployment(settings, rows));
  await Promise.all(site.processes.map((process) => process.start()));
  let made = 0;
  return {
    name: count === 1 ? 'one process' : `${count} processes`,
    site,
    /** Includes the worker's. */
    pids: () => site.processes.flatMap(({ pid }) => (pid === null ? [] : [pid])),
    /** Counters of the stores since their start. */
    usage: () => storeUsage(connection, redis),
    /** Ensures this number of agents, with ids from 1 and the keys of `benchKey`. */
    agents: async (most: number): Promise<void> => {
      if (most <= made) return;
      await withClient(connection, async (client) => {
        await insertAgents(client, { first: made + 1, last: most });
        await client.query('vacuum analyze agents');
      });
      made = most;
    },
  };
}
