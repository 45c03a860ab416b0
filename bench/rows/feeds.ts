import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

import { openRedisBackplane } from '../../src/backplane/redis/backplane.ts';
import { readRedisUrl } from '../../src/backplane/redis/address.ts';
import { openPools } from '../../src/database/pools.ts';
import { appendEvents } from '../../src/feed/event-log.ts';
import { startTestCluster } from '../../test/support/cluster.ts';
import { deployment } from '../../test/support/deployment.ts';
import { processDatabase } from '../../test/support/process-database.ts';
import { startRedis } from '../../test/support/redis.ts';
import { socketUrl } from '../../test/support/socket-client.ts';
import { EVENTS } from '../../test/support/written-events.ts';
import { ask, child, SERVER, subscribe, messageOf } from '../fan-out.ts';
import { boardRows, now } from '../fan-out-side.ts';
import { ratio } from '../results.ts';
import { residentOf } from '../service-usage.ts';
import { percentile, table } from '../table.ts';
import type { RowOptions } from './row.ts';

const PROCESSES = 4;
/** For each process. */
const [SUBSCRIBERS, SUBSCRIBERS_IF_QUICK] = [10_000, 500];
const EVENTS_IN_A_TURN = 6;
/** As in deploy/compose.yaml. */
const FEED = { ROLE: 'feed', NODE_OPTIONS: '--max-semi-space-size=16' };
/** A new process still compiles, and then collects its garbage. */
const SETTLING_MS = 45_000;

interface Side {
  readonly clients: readonly ChildProcess[];
  /** Returns the begin of the broadcasts, by `process.hrtime`. */
  readonly publish: () => Promise<number>;
}

/** Four processes with `ROLE=feed` beside as many with a broadcast over bare `ws`; their subscribers get an event of 2.2 KB. */
export async function feedProcesses({ isQuick, repetitions, onStop }: RowOptions): Promise<string> {
  await using stack = new AsyncDisposableStack();
  onStop(() => stack.disposeAsync());
  const count = isQuick ? SUBSCRIBERS_IF_QUICK : SUBSCRIBERS;
  const site = await openSite(stack);
  const raw = Array.from({ length: PROCESSES }, () => child(stack, SERVER, ['raw ws']));
  const listening = await Promise.all(raw.map((one) => messageOf(one, 'listening')));
  const memory = () => [site.pids(), raw.map(({ pid }) => pid ?? 0)].map((pids) => pids.map(residentOf));
  await delay(SETTLING_MS);
  const empty = memory();
  const sides: Record<'raw' | 'feed', Side> = {
    feed: {
      clients: await Promise.all(site.urls.map((url) => subscribe(stack, { url, query: EVENTS, count }))),
      publish: () => site.publish(),
    },
    raw: {
      clients: await Promise.all(listening.map(({ url, query }) => subscribe(stack, { url, query, count }))),
      async publish() {
        const began = now();
        await Promise.all(raw.map((one) => ask(one, 'publish', 'published')));
        return began;
      },
    },
  };
  const last: Record<keyof typeof sides, number[]> = { raw: [], feed: [] };
  for (let repetition = 0; repetition <= repetitions; repetition += 1) {
    for (const name of repetition % 2 === 0 ? (['raw', 'feed'] as const) : (['feed', 'raw'] as const)) {
      const taken = await turn(sides[name]);
      // The first repetition warms up.
      if (repetition > 0) last[name].push(...taken);
    }
  }
  const full = memory();
  const shares = [0.5, 0.99].map((share) => [percentile(last.raw, share), percentile(last.feed, share)] as const);
  const lines = [
    ['ms until the last subscriber', 'p50', 'p99', 'MB before subscribers', 'after the events'],
    ['raw ws', ...shares.map(([ms]) => ms.toFixed(0)), megabytes(empty[1]), megabytes(full[1])],
    ['feed', ...shares.map(([, ms]) => ms.toFixed(0)), megabytes(empty[0]), megabytes(full[0])],
    ['feed : raw ws', ...shares.map(([one, other]) => ratio(other / one)), '', ''],
  ];
  return `${PROCESSES * count} subscribers\n${table(lines)}`;
}

function megabytes(of: readonly number[] = []): string {
  return of.map((bytes) => (bytes / 1e6).toFixed(0)).join(' ');
}

/** A worker and the feed processes, on their own database and Redis. */
async function openSite(stack: AsyncDisposableStack) {
  stack.use(await startTestCluster());
  const redis = stack.use(await startRedis());
  const { settings, connection } = stack.use(await processDatabase());
  const rows = [{ ROLE: 'worker', ...settings }, ...Array.from({ length: PROCESSES }, () => FEED)];
  const site = stack.use(await deployment({ REDIS_URL: redis.url, CLOCK_SPEED: '1', RATE_LIMITS: 'off' }, rows));
  await site.start();
  const pools = stack.use(await openPools(connection, {}));
  const address = readRedisUrl(redis.url);
  if (address === null) throw new Error(`Redis has no address (got ${redis.url}).`);
  const backplane = await openRedisBackplane(address, { processId: 'bench', report, warn: () => {} });
  stack.defer(() => backplane.close());
  let event = 0;
  return {
    urls: site.urls.map((url) => socketUrl(url)),
    pids: () => site.processes.slice(1).map(({ pid }) => pid ?? 0),
    async publish() {
      event += 1;
      const written = { kind: 'LEADERBOARD_CHANGED', roundId: null, payload: { rows: boardRows(event) } } as const;
      await pools.newEm.jobs().transactional((transaction) => appendEvents(transaction, new Date(), [written]));
      const began = now();
      backplane.bus.nudge();
      return began;
    },
  };
}

function report(error: Error): void {
  process.stderr.write(`${String(error)}\n`);
}

/** Milliseconds of each event until the last of all subscribers has it. */
async function turn({ clients, publish }: Side): Promise<readonly number[]> {
  const taken: number[] = [];
  for (let event = 0; event < EVENTS_IN_A_TURN; event += 1) {
    const arrived = Promise.all(clients.map((one) => messageOf(one, 'received')));
    const began = await publish();
    taken.push(Math.max(...(await arrived).map(({ last }) => last - began)) / 1e6);
  }
  return taken;
}
