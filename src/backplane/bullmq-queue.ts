import { type BackendFactory, type ConnectionOptions, ErrorCode, type IQueueBackend, Queue, Worker } from 'bullmq';

import { SECOND } from '../rules/hours.ts';
import { pendingWork } from '../in-flight.ts';
import { withTimeout } from '../deadline.ts';
import {
  CLOSING_MS,
  type DriverQueue,
  JOB_STATES,
  type ListedJob,
  type NewJob,
  type QueueOptions,
  QueueUnavailable,
  TryAgain,
} from './backplane.ts';

/** The store of a queue: whose connections these are is the driver's business. */
export interface QueueStore {
  /** For additions and looks. */
  readonly producer: BackendFactory;
  /** For taking and finishing jobs. */
  readonly consumer: BackendFactory;
  /** BullMQ's prefix of keys, where the store has one. */
  readonly prefix?: string;
  /** True: the store answers or the start fails. False: the start goes on, and the queue is there when the store is. */
  readonly awaitReady: boolean;
  /** BullMQ waits for ever when it closes a worker whose connection is just being made again: what to wait for, if at all. */
  readonly beforeClosing?: () => Promise<void> | undefined;
  readonly report: (error: Error) => void;
}

type StoredQueue = Queue<unknown, unknown, string, unknown, unknown, string, IQueueBackend>;

/** How long a job belongs to a worker that does not say that it lives. */
const LOCK_MS = 5 * SECOND;
/** How often jobs that belong to nobody are looked for: the second look that finds one gives it to another worker. */
const STALLED_LOOK_MS = 2 * SECOND;
/** Jobs are tried until they succeed, however often a process dies over them. */
const WITHOUT_END = 1_000_000;
/** The pause after a failed attempt that asks for none. */
const RETRY_MS = SECOND;
/** How long closing a queue may wait for its store. */
const FAREWELL_MS = SECOND / 2;
/** The drivers hand over connections of their own; BullMQ wants to see the setting. */
const OWN: ConnectionOptions = {};

/** Opens a queue of BullMQ's in `store`. */
export async function openBullmqQueue(store: QueueStore, options: QueueOptions): Promise<DriverQueue> {
  const { name } = options;
  let closed = false;
  // A store's last connections end after the queue has: that they are cut is no news.
  const reportWhileOpen = (error: Error): void => {
    if (!closed) store.report(error);
  };
  const queue: StoredQueue = new Queue(
    name,
    { ...connectionOf(store), skipVersionCheck: true, skipWaitingForReady: !store.awaitReady, defaultJobOptions: JOBS },
    store.producer,
  );
  queue.on('error', reportWhileOpen);
  if (store.awaitReady) await queue.waitUntilReady();
  const work = pendingWork();
  const { run } = options;
  const worker = run === null ? null : openWorker(store, options, (id) => work.track(run(id)));
  worker?.on('error', reportWhileOpen);
  if (store.awaitReady) await worker?.waitUntilReady();
  let isClosing = false;
  const reach = async <Answer>(what: string, ask: () => Promise<Answer>): Promise<Answer> => {
    // What is asked of a closed queue is never answered.
    if (isClosing) throw new QueueUnavailable(`${what}: the queue ${name} is closed`);
    try {
      return await ask();
    } catch (cause) {
      throw new QueueUnavailable(`${what}: the queue ${name} does not answer`, { cause });
    }
  };
  return {
    name,
    add: (job) => reach(`Job ${job.id} was not added`, () => add(queue, job)),
    counts: () => reach('The jobs were not counted', () => countsOf(queue)),
    jobs: () => reach('The jobs were not listed', () => jobsOf(queue)),
    async close() {
      isClosing = true;
      // What is waited for before its end must not let the worker take another job.
      void worker?.pause(true).catch(reportWhileOpen);
      await store.beforeClosing?.();
      const stopped = worker?.close().catch(reportWhileOpen);
      await withTimeout(CLOSING_MS, work.settled());
      await withTimeout(FAREWELL_MS, stopped);
      await withTimeout(FAREWELL_MS, queue.close().catch(reportWhileOpen));
      closed = true;
    },
  };
}

const LOST_JOB = new Set<unknown>([ErrorCode.JobNotExist, ErrorCode.JobLockNotExist, ErrorCode.JobLockMismatch]);

/**
 * Whether a worker says that a job is no longer its own, which stood still for longer than jobs belong to workers: another
 * has it by now. While the store itself stands still that befalls every job under way.
 */
export function isLostJob(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && LOST_JOB.has(error.code)) || error.message.startsWith('could not renew lock for job');
}

/** A strategy of our own, since a job may say when it is to be tried again. */
const BACKOFF = { type: 'asked' };
const JOBS = {
  attempts: WITHOUT_END,
  backoff: BACKOFF,
  stackTraceLimit: 1,
  removeOnComplete: true,
  removeOnFail: true,
};

function connectionOf({ prefix }: QueueStore) {
  return { connection: OWN, ...(prefix === undefined ? {} : { prefix }) };
}

function openWorker(store: QueueStore, { name, concurrency = 1 }: QueueOptions, run: (id: string) => Promise<void>) {
  return new Worker(
    name,
    async ({ id = '' }) => run(id),
    {
      ...connectionOf(store),
      concurrency,
      settings: {
        backoffStrategy: (_attempts, _type, error) => (error instanceof TryAgain ? error.afterMs : RETRY_MS),
      },
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_LOOK_MS,
      maxStalledCount: WITHOUT_END,
      runRetryDelay: SECOND,
    },
    store.consumer,
  );
}

async function add(queue: StoredQueue, { id, delayMs }: NewJob): Promise<void> {
  await queue.add(queue.name, {}, { jobId: id, ...(delayMs === undefined ? {} : { delay: delayMs }) });
}

async function countsOf(queue: StoredQueue) {
  const { waiting = 0, delayed = 0, active = 0, failed = 0 } = await queue.getJobCounts(...JOB_STATES);
  return { waiting, delayed, active, failed };
}

async function jobsOf(queue: StoredQueue): Promise<readonly ListedJob[]> {
  const listed = JOB_STATES.map(async (state) => {
    const jobs = await queue.getJobs([state]);
    return jobs.map(({ id = '', attemptsMade: attempts, failedReason }) => {
      return { id, state, attempts, lastError: attempts === 0 ? null : failedReason };
    });
  });
  return (await Promise.all(listed)).flat();
}
