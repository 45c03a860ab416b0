import type { Redis } from 'ioredis';

import { withTimeout } from '../../deadline.ts';
import { MINUTE, SECOND } from '../../rules/hours.ts';
import type { BackplaneDriver, DriverOptions } from '../backplane.ts';
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
import { redisBus } from './bus.ts';
import { LIMITS_IN_REDIS, redisLimiter } from './limiter.ts';
import { JOBS_IN_REDIS, redisQueues } from './queue.ts';

/** The connections by what they are for: the names under which their state is kept. */
const COMMANDS = 'commands';
const MESSAGES = 'messages';

/** How long a start waits for Redis before it goes on without. */
const FIRST_MS = 3 * SECOND;

const LOST =
  'Redis is out of reach: until it is back limits are counted in this process alone, rounds are turned and resolved ' +
  'without the queue, and the feed looks for events by itself';

/** How long workers wait, when they close, for connections that are being made: longer than the pause between tries. */
const SETTLING_MS = 1.5 * SECOND;
/** How long, in real milliseconds, faults of the queue are not logged again. */
const QUIET_MS = MINUTE;
const QUEUE_FAULT = 'The job queue in Redis had a fault; the rounds do not depend on it';

/** A backplane that any number of processes share in Redis. It opens, works and closes whether Redis is there or not. */
export async function openRedisBackplane(address: RedisAddress, options: DriverOptions): Promise<BackplaneDriver> {
  const { warn, processId } = options;
  const { prefix } = address;
  const connections = openConnections(address, warn);
  const { commands, subscriber, outage, workerNames } = connections;
  commands.on('ready', () => {
    for (const failedBefore of [JOBS_IN_REDIS, LIMITS_IN_REDIS]) outage.works(failedBefore);
  });
  const openQueue = redisQueues({
    commands,
    openWaiting: connections.openWaiting,
    settle: connections.settle,
    prefix,
    outage,
    report: rarely((error) => {
      // That the connections fail has been logged.
      const isNews = connections.isOpen() && outage.allWork(COMMANDS, MESSAGES, ...workerNames());
      if (isNews) warn(QUEUE_FAULT, { reason: error.message });
    }),
  });
  const channel = `${prefix}:${address.database}:nudges`;
  const bus = redisBus({ publisher: commands, subscriber, channel, processId });
  const failed = Promise.race([failedOnce(commands), failedOnce(subscriber)]);
  await withTimeout(FIRST_MS, Promise.race([failed, Promise.all([connected(commands), bus.listening])]));
  const up = (...names: readonly string[]) => commands.status === 'ready' && outage.allWork(COMMANDS, ...names);
  return {
    openQueue,
    bus,
    limiter: redisLimiter({ client: commands, prefix, outage, insurance: memoryLimiter() }),
    status: () => [
      { part: 'queue', driver: 'redis', up: up(JOBS_IN_REDIS, ...workerNames()) },
      { part: 'bus', driver: 'redis', up: up(MESSAGES) && subscriber.status === 'ready' },
      { part: 'limiter', driver: 'redis', up: up(LIMITS_IN_REDIS) },
    ],
    close: connections.close,
  };
}

/** All connections of this process to Redis, and which of them work. */
function openConnections(address: RedisAddress, warn: DriverOptions['warn']) {
  let isOpen = true;
  let isEnding = false;
  const outage = watchOutage({
    lost: (error) => void (isOpen && warn(LOST, { reason: error.message })),
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
    /** Lets lost connections of workers stay lost; what to wait for where some are being made. */
    settle: (): Promise<void> | undefined => {
      isEnding = true;
      const unsettled = [...workers.values()].filter(({ status }) => status !== 'ready' && status !== 'end');
      return unsettled.length === 0 ? undefined : withTimeout(SETTLING_MS, Promise.all(unsettled.map(settled)));
    },
    close: async (): Promise<void> => {
      isOpen = false;
      for (const client of clients) client.disconnect();
    },
  };
}

/** Hands on the first of the errors of `QUIET_MS`: a store that takes nothing refuses every worker again and again. */
function rarely(report: (error: Error) => void): (error: Error) => void {
  let quiet = false;
  return (error) => {
    if (quiet) return;
    quiet = true;
    setTimeout(() => (quiet = false), QUIET_MS).unref();
    report(error);
  };
}
