import { type BackendFactory, type ConnectionOptions, Queue, QueueEvents, Worker } from 'bullmq';

import { withTimeout } from '../../deadline.ts';
import { ANSWER_MS } from '../../limits.ts';
import { SECOND } from '../../rules/hours.ts';
import type { Relay } from '../backplane.ts';

interface QuestionsOptions {
  readonly producer: BackendFactory;
  readonly consumer: BackendFactory;
  readonly prefix: string;
  readonly report: (error: Error) => void;
}

const NAME = 'questions';
/** Another process takes over the question of a killed one after some 5 s. */
const ASK_MS = 2 * ANSWER_MS;
const CLOSE_MS = SECOND / 2;
/** An answer is read from the event that announces it; kept shortly for one that came before the wait. */
const KEPT = { age: 10, count: 1000 };
const AT_ONCE = 4;
const LOCK_MS = 2 * SECOND;
/** BullMQ requires the setting, although the factories bring their own connections. */
const OWN: ConnectionOptions = {};

interface BullmqPart {
  on(event: 'error', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}

/** Questions are jobs of BullMQ, and answers their results. Connections open with the first question or answer. */
export function redisQuestions({ producer, consumer, prefix, report }: QuestionsOptions) {
  const options = { connection: OWN, prefix, skipVersionCheck: true, skipWaitingForReady: true };
  const opened: BullmqPart[] = [];
  const open = <Part extends BullmqPart>(part: Part): Part => {
    part.on('error', report);
    opened.push(part);
    return part;
  };
  const openAsking = () => {
    const defaultJobOptions = { removeOnComplete: KEPT, removeOnFail: KEPT };
    const queue = open(new Queue(NAME, { ...options, defaultJobOptions }, producer));
    return { queue, events: open(new QueueEvents(NAME, options, consumer)) };
  };
  let asking: ReturnType<typeof openAsking> | undefined;
  return {
    ask: async (question) => {
      const { queue, events } = (asking ??= openAsking());
      const job = await queue.add(NAME, question);
      return job.waitUntilFinished(events, ASK_MS);
    },
    answer: (run) => {
      const working = { ...options, concurrency: AT_ONCE, lockDuration: LOCK_MS, stalledInterval: LOCK_MS };
      const worker = open(new Worker(NAME, ({ data }) => run(data), working, consumer));
      return () => worker.close();
    },
    close: () => withTimeout(CLOSE_MS, Promise.allSettled(opened.map((part) => part.close()))),
  } satisfies Pick<Relay, 'ask' | 'answer'> & { readonly close: () => Promise<void> };
}
