import { type Job, Queue, QueueEvents, Worker } from 'bullmq';

import { callAfter, withTimeout } from '../../deadline.ts';
import { pendingWork } from '../../in-flight.ts';
import { ANSWER_MS } from '../../limits.ts';
import { SECOND } from '../../rules/hours.ts';
import { CLOSING_MS, type Relay, RelayClosed } from '../backplane.ts';
import { connectionOf, type QueueStore } from '../bullmq-queue.ts';

interface QuestionsOptions extends Required<Omit<QueueStore, 'awaitReady'>> {
  readonly processId: string;
}

const NAME = 'questions';
/** Another process takes over the question of a killed one after some 5 s. */
const ASK_MS = 2 * ANSWER_MS;
const CLOSE_MS = SECOND / 2;
/** Questions of a process that wait for an answer, so that an outage of all that answer fills no memory. */
const MAX_WAITING = 1_000;
/** Answers are read from the events that announce them. */
const EVENTS_KEPT = 500;
const AT_ONCE = 4;
const LOCK_MS = 2 * SECOND;

interface BullmqPart {
  on(event: 'error', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}

/** Questions are jobs of BullMQ, and answers their results. Connections open with the first question or answer. */
export function redisQuestions(given: QuestionsOptions) {
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
    // From the first event that is kept: an answer may come before the first look.
    const events = open(new QueueEvents(NAME, { ...options, lastEventId: '0' }, consumer));
    events.on('completed', ({ jobId, returnvalue }) => waiting.get(jobId)?.resolve(returnvalue));
    events.on('failed', ({ jobId, failedReason }) => waiting.get(jobId)?.reject(new Error(failedReason)));
    return open(new Queue(NAME, { ...options, ...settings }, producer));
  };
  let queue: ReturnType<typeof openQueue> | undefined;
  let asked = 0;
  let isStopping = false;
  const stopAsking = (): void => {
    isStopping = true;
    for (const { reject } of waiting.values()) reject(new RelayClosed('The process stops'));
  };
  return {
    ask: async (question) => {
      if (isStopping) throw new RelayClosed('The process stops');
      if (waiting.size >= MAX_WAITING) throw new Error(`${MAX_WAITING} questions wait for processes with a database`);
      queue ??= openQueue();
      const jobId = `${processId}-${(asked += 1)}`;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(jobId, answer);
      const stop = callAfter(ASK_MS, () =>
        answer.reject(new Error(`No process with a database has answered within ${ASK_MS / SECOND} s`)),
      );
      try {
        const added = queue.add(NAME, question, { jobId });
        return await Promise.race([answer.promise, added.then(() => answer.promise)]);
      } catch (error) {
        // Nobody waits for it any more; Redis may be away.
        void queue.remove(jobId).catch(() => null);
        throw error;
      } finally {
        stop();
        waiting.delete(jobId);
      }
    },
    answer: (run) => {
      const working = { ...options, concurrency: AT_ONCE, lockDuration: LOCK_MS, stalledInterval: LOCK_MS };
      const work = pendingWork();
      const worker = open(new Worker(NAME, ({ data }: Job) => work.track(run(data)), working, consumer));
      return async () => {
        // The worker must not take another question while this waits.
        void worker.pause(true).catch(report);
        await beforeClosing();
        await withTimeout(CLOSING_MS, work.settled());
        await withTimeout(CLOSE_MS, worker.close().catch(report));
      };
    },
    stopAsking,
    close: async () => {
      isOpen = false;
      stopAsking();
      await withTimeout(CLOSE_MS, Promise.allSettled(opened.map((part) => part.close())));
    },
  } satisfies Pick<Relay, 'ask' | 'stopAsking' | 'answer'> & { readonly close: () => Promise<void> };
}
