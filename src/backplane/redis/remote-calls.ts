import { type Job, Queue, QueueEvents, Worker } from 'bullmq';

import { callAfter, withTimeout } from '../../deadline.ts';
import { pendingWork } from '../../in-flight.ts';
import { ANSWER_MS } from '../../limits.ts';
import { SECOND } from '../../rules/hours.ts';
import { CLOSING_MS, type Relay, RelayClosed } from '../backplane.ts';
import { connectionOf, type QueueStore } from '../bullmq-queue.ts';

interface CallsOptions extends Required<Omit<QueueStore, 'awaitReady'>> {
  readonly processId: string;
}

/** The queue's name in Redis, which processes of other versions share. */
const NAME = 'questions';
/** Another process takes over the call of a killed one after some 5 s. */
const CALL_MS = 2 * ANSWER_MS;
const CLOSE_MS = SECOND / 2;
/** The maximum of a process's waiting calls, so that an outage of all that handle them fills no memory. */
const MAX_WAITING = 1_000;
/** Results are read from the events that announce them. */
const EVENTS_KEPT = 500;
const AT_ONCE = 4;
const LOCK_MS = 2 * SECOND;

interface BullmqPart {
  on(event: 'error', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}

/** Calls are jobs of BullMQ, with their results. Connections open with the first call, made or handled. */
export function redisCalls(given: CallsOptions) {
  const { producer, consumer, processId, beforeClosing, report } = given;
  const options = { ...connectionOf(given), skipVersionCheck: true, skipWaitingForReady: true };
  let isOpen = true;
  const opened: BullmqPart[] = [];
  const open = <Part extends BullmqPart>(part: Part): Part => {
    part.on('error', (error) => void (isOpen && report(error)));
    opened.push(part);
    return part;
  };
  const waiting = new Map<string, PromiseWithResolvers<unknown>>();
  const openQueue = () => {
    const settings = {
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true, stackTraceLimit: 1 },
      streams: { events: { maxLen: EVENTS_KEPT } },
    };
    // From the first event that is kept: a result may come before the first look.
    const events = open(new QueueEvents(NAME, { ...options, lastEventId: '0' }, consumer));
    events.on('completed', ({ jobId, returnvalue }) => waiting.get(jobId)?.resolve(returnvalue));
    events.on('failed', ({ jobId, failedReason }) => waiting.get(jobId)?.reject(new Error(failedReason)));
    return open(new Queue(NAME, { ...options, ...settings }, producer));
  };
  let queue: ReturnType<typeof openQueue> | undefined;
  let made = 0;
  let isStopping = false;
  const stopCalling = (): void => {
    isStopping = true;
    for (const { reject } of waiting.values()) reject(new RelayClosed('The process stops'));
  };
  return {
    call: async (data) => {
      if (isStopping) throw new RelayClosed('The process stops');
      if (waiting.size >= MAX_WAITING) throw new Error(`${MAX_WAITING} calls wait for processes with a database`);
      queue ??= openQueue();
      const jobId = `${processId}-${(made += 1)}`;
      const result = Promise.withResolvers<unknown>();
      waiting.set(jobId, result);
      const stop = callAfter(CALL_MS, () =>
        result.reject(new Error(`No process with a database has answered within ${CALL_MS / SECOND} s`)),
      );
      try {
        const added = queue.add(NAME, data, { jobId });
        return await Promise.race([result.promise, added.then(() => result.promise)]);
      } catch (error) {
        // Nobody waits for it any more; Redis may be away.
        void queue.remove(jobId).catch(() => null);
        throw error;
      } finally {
        stop();
        waiting.delete(jobId);
      }
    },
    handleCalls: (run) => {
      const working = { ...options, concurrency: AT_ONCE, lockDuration: LOCK_MS, stalledInterval: LOCK_MS };
      const work = pendingWork();
      const worker = open(new Worker(NAME, ({ data }: Job) => work.track(run(data)), working, consumer));
      return async () => {
        // The worker must not take another call while this waits.
        void worker.pause(true).catch(report);
        await beforeClosing();
        await withTimeout(CLOSING_MS, work.settled());
        await withTimeout(CLOSE_MS, worker.close().catch(report));
      };
    },
    stopCalling,
    close: async () => {
      isOpen = false;
      stopCalling();
      await withTimeout(CLOSE_MS, Promise.allSettled(opened.map((part) => part.close())));
    },
  } satisfies Pick<Relay, 'call' | 'stopCalling' | 'handleCalls'> & { readonly close: () => Promise<void> };
}
