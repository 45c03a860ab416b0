import type { Queue as BullQueue } from 'bullmq';

import type { Bus } from './bus.ts';
import type { Limiter } from './limiter.ts';
import type { OpenQueue, QueueCounts } from './queue.ts';

/** A part that processes share, and whether its store answers at present. */
export interface PartStatus {
  readonly part: 'queue' | 'bus' | 'limiter';
  readonly driver: string;
  readonly up: boolean;
}

/** What the processes of one service share beside the database. */
export interface Backplane {
  readonly openQueue: OpenQueue;
  readonly bus: Bus;
  readonly limiter: Limiter;
  status(): readonly PartStatus[];
  /** How many jobs each open queue holds, by its name. Rejects with `QueueUnavailable`. */
  counts(): Promise<Readonly<Record<string, QueueCounts>>>;
  /** BullMQ's own objects behind the queues that are open, for a queue dashboard. */
  nativeQueues(): readonly BullQueue[];
  /** Ends what is shared; its queues have been closed before. It never waits for a store that does not answer. */
  close(): Promise<void>;
}
