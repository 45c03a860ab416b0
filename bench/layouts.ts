import { withClient } from '../src/database/connection.ts';
import { createTestDatabase } from '../test/support/database.ts';
import { deployment, type Deployment } from '../test/support/deployment.ts';
import { databaseUrl, type Settings } from '../test/support/process.ts';
import { startRedis } from '../test/support/redis.ts';
import { type StoreUsage, storeUsage } from './store-usage.ts';

const API = { ROLE: 'api' };
const WORKER = { ROLE: 'worker' };

/** How processes may share the work; the first is what the others stand beside. */
const LAYOUTS = [
  { name: 'one process', shares: false, rows: [{ ROLE: 'all' }] },
  { name: '2 api, 1 worker', shares: true, rows: [API, API, WORKER] },
  { name: '3 api, 1 worker', shares: true, rows: [API, API, API, WORKER] },
] as const;

/** Agents of each layout's database, with ids from 1 and the keys of `benchKey`. */
const LAYOUT_AGENTS = 120_000;

/** A layout that runs, on a database of its own. */
export interface RunningLayout {
  readonly name: string;
  readonly site: Deployment;
  /** Of the service's processes, the worker's among them. */
  readonly pids: () => readonly number[];
  /** What the stores have been asked for since their start. */
  readonly usage: () => Promise<StoreUsage>;
}

/** Starts all layouts; those of several processes need redis-server on this machine. */
export async function openLayouts(stack: AsyncDisposableStack, speed: number): Promise<readonly RunningLayout[]> {
  const layouts: RunningLayout[] = [];
  for (const { name, shares, rows } of LAYOUTS) {
    const { connection, drop } = await createTestDatabase();
    stack.defer(drop);
    const redis = shares ? stack.use(await startRedis()) : null;
    const settings: Settings = {
      DATABASE_URL: databaseUrl(connection),
      CLOCK_SPEED: String(speed),
      RATE_LIMITS: 'off',
      // Connections of a proxy are not counted: those of the turn before may still be closing.
      TRUST_PROXY: 'true',
      ...(redis === null ? {} : { REDIS_URL: redis.url }),
    };
    const site = stack.use(await deployment(settings, rows));
    await Promise.all(site.processes.map((process) => process.start()));
    await withClient(connection, async (client) => {
      await client.query(
        `insert into agents (name, name_key, mode, key_hash, registered_at)
         select 'agent-' || n, 'agent-' || n, 'compete',
           encode(sha256(convert_to('pk_live_' || lpad(to_hex(n), 48, '0'), 'UTF8')), 'hex'), now()
         from generate_series(1, $1::int) n order by n`,
        [LAYOUT_AGENTS],
      );
      await client.query('vacuum analyze agents');
    });
    layouts.push({
      name,
      site,
      pids: () => site.processes.flatMap(({ pid }) => (pid === null ? [] : [pid])),
      usage: () => storeUsage(connection, redis),
    });
  }
  return layouts;
}
