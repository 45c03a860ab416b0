/** A piece of work that waits in a queue. One with the id of a job that still waits, runs or retries is not added. */
export interface NewJob {
  readonly id: string;
  readonly data: Readonly<Record<string, number>>;
  /** Real milliseconds to wait before it runs. */
  readonly delayMs?: number;
}

/** A job in the hands of its worker. `attempt` counts from 1. */
export interface RunningJob {
  readonly id: string;
  readonly data: Readonly<Record<string, number>>;
  readonly attempt: number;
}

/** What a queue does with its jobs. */
export interface QueueOptions {
  readonly name: string;
  /** How many run at once in this process. */
  readonly concurrency: number;
  /**
   * A rejection means: try again. A job is run until it succeeds, also by another process when this one dies. Null:
   * this process only adds, and leaves the work to others.
   */
  readonly run: ((job: RunningJob) => Promise<void>) | null;
  /** Real milliseconds to wait after a failed attempt. */
  readonly retryDelayMs: (error: Error, attempt: number) => number;
}

/** How many jobs a queue holds, over all processes: to be run now, later, being run, and given up. */
export interface QueueCounts {
  readonly waiting: number;
  readonly delayed: number;
  readonly active: number;
  readonly failed: number;
}

/** The queue is out of reach or takes nothing at present; whoever has work does it without. */
export class QueueUnavailable extends Error {
  override readonly name = 'QueueUnavailable';
}

/** Work that outlives the process. It holds no state that the database lacks: an emptied queue loses nothing. */
export interface Queue {
  /** Rejects with `QueueUnavailable`, within a few seconds, when the queue cannot take it. */
  add(job: NewJob): Promise<void>;
  /** Rejects with `QueueUnavailable`, within a few seconds, when the queue cannot tell. */
  counts(): Promise<QueueCounts>;
  /** Takes no more work and waits for what is under way, for `CLOSING_MS` at the most. */
  close(): Promise<void>;
}

export type OpenQueue = (options: QueueOptions) => Promise<Queue>;

/** How long, in real milliseconds, a queue waits for its running jobs when it closes. */
export const CLOSING_MS = 3_000;
