import { type BackendFactory, type ConnectionOptions, createRedisBackend } from 'bullmq';
import type { Redis } from 'ioredis';

import { openBullmqQueue } from '../bullmq-queue.ts';
import type { Outage } from './client.ts';
import { type OpenQueue, type Queue, QueueUnavailable } from '../backplane.ts';

export const JOBS_IN_REDIS = 'jobs';

interface RedisQueuesOptions {
  readonly commands: Redis;
  /** Opened for the first worker; BullMQ duplicates it for each one. */
  readonly openWaiting: () => Redis;
  readonly prefix: string;
  readonly outage: Outage;
  readonly settle: () => Promise<void> | undefined;
  readonly report: (error: Error) => void;
}

export function redisQueues(given: RedisQueuesOptions): OpenQueue {
  const { outage } = given;
  let waiting: Redis | undefined;
  const store = {
    producer: backendOn(() => given.commands),
    consumer: backendOn(() => (waiting ??= given.openWaiting())),
    // The braces keep all keys in one slot of a cluster, as BullMQ's scripts need it.
    prefix: `{${given.prefix}}`,
    awaitReady: false,
    beforeClosing: given.settle,
    report: given.report,
  };
  return async (options) => {
    const queue = await openBullmqQueue(store, options);
    return { ...queue, add: (job) => noting(outage, () => queue.add(job)) };
  };
}

export function backendOn(client: () => ConnectionOptions): BackendFactory {
  return (name, options, extra) => createRedisBackend(name, { ...options, connection: client() }, extra);
}

async function noting(outage: Outage, add: () => ReturnType<Queue['add']>): Promise<void> {
  try {
    await add();
    outage.works(JOBS_IN_REDIS);
  } catch (error) {
    if (error instanceof QueueUnavailable && error.cause instanceof Error) outage.failed(JOBS_IN_REDIS, error.cause);
    throw error;
  }
}
