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
  /** A rejection means: try again. A job is run until it succeeds, also by another process when this one dies. */
  readonly run: (job: RunningJob) => Promise<void>;
  /** Real milliseconds to wait after a failed attempt. */
  readonly retryDelayMs: (error: Error, attempt: number) => number;
}

/** Work that outlives the process. It holds no state that the database lacks: an emptied queue loses nothing. */
export interface Queue {
  add(job: NewJob): Promise<void>;
  /** Takes no more work and waits for what is under way. */
  close(): Promise<void>;
}

export type OpenQueue = (options: QueueOptions) => Promise<Queue>;
