import { MINUTE, SECOND } from '../rules/hours.ts';
import { waitAtMost } from '../wait-at-most.ts';
import type { DriverNeeds, DriverParts } from './driver-parts.ts';
import { memoryLimiter } from './memory-limiter.ts';
import { watchOutage } from './outage.ts';
import type { RedisAddress } from './redis-address.ts';
import { redisBus } from './redis-bus.ts';
import {
  connected,
  failedOnce,
  openRedis,
  type Purpose,
  type RedisClient,
  settled,
  takeDuplicates,
  watchConnection,
} from './redis-client.ts';
import { LIMITS_IN_REDIS, redisLimiter } from './redis-limiter.ts';
import { JOBS_IN_REDIS, redisQueues } from './redis-queue.ts';

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
/** How long, in real milliseconds, faults of the queue are not told again. */
const QUIET_MS = MINUTE;
const QUEUE_FAULT = 'The job queue in Redis had a fault; the rounds do not depend on it';

/** A backplane that any number of processes share in Redis. It opens, works and closes whether Redis is there or not. */
export async function openRedisBackplane(address: RedisAddress, needs: DriverNeeds): Promise<DriverParts> {
  const { tell, processId } = needs;
  const { prefix } = address;
  let isOpen = true;
  const outage = watchOutage({
    lost: (error) => void (isOpen && tell(LOST, { reason: error.message })),
    back: () => void (isOpen && tell('Redis is back')),
  });
  const clients: RedisClient[] = [];
  const keep = (client: RedisClient): RedisClient => {
    clients.push(client);
    return client;
  };
  let isEnding = false;
  const open = (purpose: Purpose, name: string): RedisClient =>
    keep(openRedis(address, purpose, { name, outage, isEnding: () => isEnding }));
  const commands = open('commands', COMMANDS);
  commands.on('ready', () => {
    for (const failedBefore of [JOBS_IN_REDIS, LIMITS_IN_REDIS]) outage.works(failedBefore);
  });
  const subscriber = open('waiting', MESSAGES);
  const up = (...names: readonly string[]) => commands.status === 'ready' && outage.allWork(COMMANDS, ...names);
  const workers = new Map<string, RedisClient>();
  const nameOfNext = (): string => `worker ${workers.size}`;
  const openQueue = redisQueues({
    commands,
    openWaiting: () => {
      const first = nameOfNext();
      const client = open('waiting', first);
      workers.set(first, client);
      return takeDuplicates(client, (duplicate) => {
        const name = nameOfNext();
        workers.set(name, keep(duplicate));
        watchConnection(duplicate, { name, outage });
      });
    },
    settle: () => {
      isEnding = true;
      const unsettled = [...workers.values()].filter(({ status }) => status !== 'ready' && status !== 'end');
      return unsettled.length === 0 ? undefined : waitAtMost(SETTLING_MS, Promise.all(unsettled.map(settled)));
    },
    prefix,
    outage,
    report: rarely((error) => {
      // That the connections fail has been told.
      if (isOpen && outage.allWork(COMMANDS, MESSAGES, ...workers.keys())) tell(QUEUE_FAULT, { reason: error.message });
    }),
  });
  const channel = `${prefix}:${address.database}:nudges`;
  const bus = redisBus({ publisher: commands, subscriber, channel, processId });
  const failed = Promise.race([failedOnce(commands), failedOnce(subscriber)]);
  await waitAtMost(FIRST_MS, Promise.race([failed, Promise.all([connected(commands), bus.listening])]));
  return {
    openQueue,
    bus,
    limiter: redisLimiter({ client: commands, prefix, outage, insurance: memoryLimiter() }),
    status: () => [
      { part: 'queue', driver: 'redis', up: up(JOBS_IN_REDIS, ...workers.keys()) },
      { part: 'bus', driver: 'redis', up: up(MESSAGES) && subscriber.status === 'ready' },
      { part: 'limiter', driver: 'redis', up: up(LIMITS_IN_REDIS) },
    ],
    close: async () => {
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
