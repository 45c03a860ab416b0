import { createPostgresBackend, withBackend } from 'bullmq';

import { SECOND } from '../rules/hours.ts';
import type { DatabaseConnection } from './database-connection.ts';
import type { OpenQueue, RunningJob } from './queue.ts';

const { Queue, Worker } = withBackend(createPostgresBackend);

const SCHEMA = 'bullmq';
/** A worker that died is noticed within two of these. */
const LOCK_MS = 5 * SECOND;
/** Jobs are tried until they succeed, however often a process dies over them. */
const WITHOUT_END = 1_000_000;

/** BullMQ with its queues in PostgreSQL: no service beside the database. */
export function postgresQueues(connection: DatabaseConnection, report: (error: Error) => void): OpenQueue {
  return async ({ name, concurrency, run, retryDelayMs }) => {
    let closed = false;
    // A pool has ended before its last connections are gone; that the database cuts them when it stops is no news.
    const reportWhileOpen = (error: Error): void => {
      if (!closed) report(error);
    };
    const pool = { connection: { ...connection, schema: SCHEMA, migrate: true, max: 2 } };
    const queue = new Queue(name, {
      ...pool,
      defaultJobOptions: {
        attempts: WITHOUT_END,
        backoff: { type: 'custom' },
        removeOnComplete: true,
        removeOnFail: true,
      },
    });
    queue.on('error', reportWhileOpen);
    await queue.waitUntilReady();
    const worker = new Worker(name, async (job) => run(runningJob(job)), {
      ...pool,
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: LOCK_MS,
      maxStalledCount: WITHOUT_END,
      settings: {
        backoffStrategy: (attempt, _type, error) => retryDelayMs(error ?? new Error('unknown'), attempt),
      },
    });
    worker.on('error', reportWhileOpen);
    await worker.waitUntilReady();
    return {
      async add({ id, data, delayMs }) {
        await queue.add(name, data, { jobId: id, ...(delayMs === undefined ? {} : { delay: delayMs }) });
      },
      async close() {
        await worker.close();
        await queue.close();
        closed = true;
      },
    };
  };
}

function runningJob(job: { id?: string | undefined; data: unknown; attemptsMade: number }): RunningJob {
  return { id: job.id ?? '', data: numbersOf(job.data), attempt: job.attemptsMade + 1 };
}

function numbersOf(data: unknown): Record<string, number> {
  const entries = Object.entries(data ?? {}).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  return Object.fromEntries(entries);
}
