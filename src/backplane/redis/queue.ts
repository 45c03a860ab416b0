import { type BackendFactory, type ConnectionOptions, createRedisBackend } from 'bullmq';
import type { Redis } from 'ioredis';

import { openBullmqQueue, type QueueStore } from '../bullmq-queue.ts';
import type { Outage } from './client.ts';
import { type OpenQueue, type Queue, QueueUnavailable } from '../backplane.ts';

export const JOBS_IN_REDIS = 'jobs';

interface RedisQueuesOptions extends Omit<QueueStore, 'consumer' | 'awaitReady'> {
  /** Opened for the first worker; BullMQ duplicates it for each one. */
  readonly openWaiting: () => Redis;
  readonly outage: Outage;
}

export function redisQueues({ openWaiting, outage, ...given }: RedisQueuesOptions): OpenQueue {
  let waiting: Redis | undefined;
  const store = { ...given, consumer: backendOn(() => (waiting ??= openWaiting())), awaitReady: false };
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
