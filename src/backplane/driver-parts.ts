import type { Backplane } from './backplane.ts';
import type { BullmqQueue } from './bullmq-queue.ts';
import type { QueueOptions } from './queue.ts';

/** A backplane as its drivers make it. */
export interface DriverParts extends Omit<Backplane, 'openQueue' | 'counts' | 'nativeQueues'> {
  readonly openQueue: (options: QueueOptions) => Promise<BullmqQueue>;
}

export interface DriverNeeds {
  /** What no other process calls itself. */
  readonly processId: string;
  readonly report: (error: Error) => void;
  /** Takes what an operator should know of. */
  readonly tell: (message: string, fields?: object) => void;
}
