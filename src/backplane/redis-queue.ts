import { type BackendFactory, type ConnectionOptions, createRedisBackend } from 'bullmq';

import { type BullmqQueue, openBullmqQueue } from './bullmq-queue.ts';
import type { Outage } from './outage.ts';
import { type Queue, type QueueOptions, QueueUnavailable } from './queue.ts';
import type { RedisClient } from './redis-client.ts';

/** The name under which additions that failed are kept in an outage. */
export const JOBS_IN_REDIS = 'jobs';

export interface RedisQueuesNeeds {
  readonly commands: RedisClient;
  /** For workers; opened when there is the first. BullMQ makes duplicates of it, one a worker. */
  readonly openWaiting: () => RedisClient;
  readonly prefix: string;
  readonly outage: Outage;
  /** Lets connections of workers that are lost stay so; what to wait for where some are being made. */
  readonly settle: () => Promise<void> | undefined;
  readonly report: (error: Error) => void;
}

/** BullMQ with its queues in Redis. They open, and close, whether Redis is there or not. */
export function redisQueues(needs: RedisQueuesNeeds) {
  const { outage } = needs;
  let waiting: RedisClient | undefined;
  const store = {
    producer: backendOn(() => needs.commands),
    consumer: backendOn(() => (waiting ??= needs.openWaiting())),
    // The braces keep all keys of the queues on one node of a cluster, as BullMQ's scripts need it.
    prefix: `{${needs.prefix}}`,
    awaitReady: false,
    beforeClosing: needs.settle,
    report: needs.report,
  };
  return async (options: QueueOptions): Promise<BullmqQueue> => {
    const queue = await openBullmqQueue(store, options);
    return { ...queue, add: (job) => noting(outage, () => queue.add(job)) };
  };
}

function backendOn(client: () => ConnectionOptions): BackendFactory {
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
