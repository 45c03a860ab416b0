import { type BackendFactory, type ConnectionOptions, ErrorCode, type IQueueBackend, Queue, Worker } from 'bullmq';

import { SECOND } from '../rules/hours.ts';
import { pendingWork } from '../in-flight.ts';
import { withTimeout } from '../deadline.ts';
import {
  CLOSING_MS,
  JOB_STATES,
  type ListedJob,
  type NewJob,
  type OpenQueue,
  type QueueOptions,
  QueueUnavailable,
  RetryLater,
} from './backplane.ts';

export interface QueueStore {
  readonly producer: BackendFactory;
  readonly consumer: BackendFactory;
  readonly prefix?: string;
  /** True: the start fails without the store. False: the queue works once the store does. */
  readonly awaitReady: boolean;
  /** BullMQ never finishes closing a worker whose connection is being made: returns what to await first. */
  readonly beforeClosing?: () => Promise<void> | undefined;
  readonly report: (error: Error) => void;
}

type StoredQueue = Queue<unknown, unknown, string, unknown, unknown, string, IQueueBackend>;

/** A worker loses its job if it does not renew the lock within this time. */
const LOCK_MS = 5 * SECOND;
/** The interval of checks. The second check that finds a lost job gives it to another worker. */
const STALLED_CHECK_MS = 2 * SECOND;
const UNLIMITED_ATTEMPTS = 1_000_000;
const RETRY_MS = SECOND;
const CLOSE_GRACE_MS = SECOND / 2;
/** BullMQ requires the setting, although drivers pass their own connections. */
const OWN: ConnectionOptions = {};

export async function openBullmqQueue(store: QueueStore, options: QueueOptions): ReturnType<OpenQueue> {
  const { name } = options;
  let closed = false;
  // Connections that end after the queue has closed are no fault.
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
    if (isClosing) throw new QueueUnavailable(`${what}: the queue ${name} is closed`);
    try {
      return await ask();
    } catch (cause) {
      throw new QueueUnavailable(`${what}: the queue ${name} does not answer`, { cause });
    }
  };
  return {
    add: (job) => reach(`Job ${job.id} was not added`, () => add(queue, job)),
    counts: () => reach('The jobs were not counted', () => countsOf(queue)),
    jobs: () => reach('The jobs were not listed', () => jobsOf(queue)),
    async close() {
      isClosing = true;
      // The worker must not take another job while this waits.
      void worker?.pause(true).catch(reportWhileOpen);
      await store.beforeClosing?.();
      const stopped = worker?.close().catch(reportWhileOpen);
      await withTimeout(CLOSING_MS, work.settled());
      await withTimeout(CLOSE_GRACE_MS, stopped);
      await withTimeout(CLOSE_GRACE_MS, queue.close().catch(reportWhileOpen));
      closed = true;
    },
  };
}

const LOST_JOB = new Set<unknown>([ErrorCode.JobNotExist, ErrorCode.JobLockNotExist, ErrorCode.JobLockMismatch]);

/** True if another worker has the job now, since this worker was suspended. If the store was suspended, all running jobs are lost. */
export function isLostJob(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && LOST_JOB.has(error.code)) || error.message.startsWith('could not renew lock for job');
}

const JOBS = {
  attempts: UNLIMITED_ATTEMPTS,
  // A strategy of our own, since `RetryLater` has a time.
  backoff: { type: 'asked' },
  stackTraceLimit: 1,
  removeOnComplete: true,
  removeOnFail: true,
};

export function connectionOf({ prefix }: Pick<QueueStore, 'prefix'>) {
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
        backoffStrategy: (_attempts, _type, error) => (error instanceof RetryLater ? error.afterMs : RETRY_MS),
      },
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      maxStalledCount: UNLIMITED_ATTEMPTS,
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
  // Each state is read at its own moment: a job that moves in between is in two of them.
  const byId = new Map((await Promise.all(listed)).flat().map((job) => [job.id, job]));
  return [...byId.values()];
}
