import type { Redis } from 'ioredis';

import { withTimeout } from '../../deadline.ts';
import { MINUTE, SECOND } from '../../rules/hours.ts';
import type { Backplane, DriverOptions } from '../backplane.ts';
import { memoryLimiter } from '../local.ts';
import {
  connected,
  failedOnce,
  openRedis,
  type Purpose,
  settled,
  takeDuplicates,
  watchConnection,
  watchOutage,
} from './client.ts';
import type { RedisAddress } from './address.ts';
import { MESSAGES, redisBus } from './bus.ts';
import { LIMITS_IN_REDIS, redisLimiter } from './limiter.ts';
import { redisStream } from './event-stream.ts';
import { backendOn, JOBS_IN_REDIS, redisQueues } from './queue.ts';
import { redisCalls } from './remote-calls.ts';

const COMMANDS = 'commands';

const START_TIMEOUT_MS = 3 * SECOND;

const LOST =
  'Redis is out of reach: until it is back limits are counted in this process alone, rounds are opened, closed and resolved ' +
  'without the queue, and the feed polls the database for events';

/** Longer than the pause between tries of a connection. */
const RECONNECT_GRACE_MS = 1.5 * SECOND;
const LOG_INTERVAL_MS = MINUTE;
const QUEUE_FAULT = 'The job queue in Redis had a fault; the rounds do not depend on it';

/** Opens, works and closes with and without a reachable Redis. */
export async function openRedisBackplane(address: RedisAddress, options: DriverOptions, lost = LOST) {
  const { warn, processId } = options;
  const { prefix } = address;
  const connections = openConnections(address, { lost, warn });
  const { commands, subscriber, outage, workerNames } = connections;
  commands.on('ready', () => {
    for (const failedBefore of [JOBS_IN_REDIS, LIMITS_IN_REDIS]) outage.works(failedBefore);
  });
  const report = rarely((error) => {
    // Failing connections have been logged already.
    const isNews = connections.isOpen() && outage.allWork(COMMANDS, ...workerNames());
    if (isNews) warn(QUEUE_FAULT, { reason: error.message });
  });
  const { openWaiting, settle: beforeClosing } = connections;
  // The braces keep all keys in one slot of a cluster, as BullMQ's scripts need it.
  const store = { producer: backendOn(() => commands), prefix: `{${prefix}}`, beforeClosing, report };
  const openQueue = redisQueues({ ...store, openWaiting, outage });
  const { close: closeCalls, ...calls } = redisCalls({ ...store, consumer: backendOn(openWaiting), processId });
  const channel = `${prefix}:${address.database}:nudges`;
  const bus = redisBus({ publisher: commands, subscriber, channel, processId, outage });
  const failed = Promise.race([failedOnce(commands), failedOnce(subscriber)]);
  await withTimeout(START_TIMEOUT_MS, Promise.race([failed, Promise.all([connected(commands), bus.listening])]));
  const up = (...names: readonly string[]) => commands.status === 'ready' && outage.allWork(COMMANDS, ...names);
  return {
    openQueue,
    bus,
    limiter: redisLimiter({ client: commands, prefix, outage, insurance: memoryLimiter() }),
    relay: { stream: redisStream(commands, prefix), ...calls },
    status: () => [
      { part: 'queue', driver: 'redis', up: up(JOBS_IN_REDIS, ...workerNames()) },
      { part: 'bus', driver: 'redis', up: up(MESSAGES) && subscriber.status === 'ready' },
      { part: 'limiter', driver: 'redis', up: up(LIMITS_IN_REDIS) },
    ],
    async close() {
      await closeCalls();
      await connections.close();
    },
  } satisfies Backplane;
}

function openConnections(
  address: RedisAddress,
  { lost, warn }: Pick<DriverOptions, 'warn'> & { readonly lost: string },
) {
  let isOpen = true;
  let isEnding = false;
  const outage = watchOutage({
    lost: (error) => void (isOpen && warn(lost, { reason: error.message })),
    back: () => void (isOpen && warn('Redis is back')),
  });
  const clients = new Set<Redis>();
  const workers = new Map<string, Redis>();
  const open = (purpose: Purpose, name: string): Redis => {
    const client = openRedis(address, purpose, { name, outage, isEnding: () => isEnding });
    clients.add(client);
    return client;
  };
  const nameOfNext = (): string => `worker ${workers.size}`;
  return {
    outage,
    commands: open('commands', COMMANDS),
    subscriber: open('waiting', MESSAGES),
    isOpen: () => isOpen,
    workerNames: () => workers.keys(),
    openWaiting: (): Redis => {
      const first = nameOfNext();
      const client = open('waiting', first);
      workers.set(first, client);
      return takeDuplicates(client, (duplicate) => {
        const name = nameOfNext();
        clients.add(duplicate);
        workers.set(name, duplicate);
        watchConnection(duplicate, { name, outage });
      });
    },
    /** Ends reconnects of workers; returns what to await if connections are being made. */
    settle: (): Promise<void> | undefined => {
      isEnding = true;
      const unsettled = [...workers.values()].filter(({ status }) => status !== 'ready' && status !== 'end');
      return unsettled.length === 0 ? undefined : withTimeout(RECONNECT_GRACE_MS, Promise.all(unsettled.map(settled)));
    },
    close: async (): Promise<void> => {
      isOpen = false;
      for (const client of clients) client.disconnect();
    },
  };
}

/** Passes on one error in `LOG_INTERVAL_MS`: a failing store rejects every worker again and again. */
function rarely(report: (error: Error) => void): (error: Error) => void {
  let quiet = false;
  return (error) => {
    if (quiet) return;
    quiet = true;
    setTimeout(() => (quiet = false), LOG_INTERVAL_MS).unref();
    report(error);
  };
}
