import type { LimitName } from '../limits.ts';

/** A job whose id still waits, runs or retries is not added again. */
export interface NewJob {
  readonly id: string;
  readonly delayMs?: number;
}

export interface QueueOptions {
  readonly name: string;
  /** A rejection retries a second later, or after the wait of a `RetryLater`, also in another process. Null: this process only adds jobs. */
  readonly run: ((id: string) => Promise<void>) | null;
  readonly concurrency?: number;
}

/** Retries the job after this number of real milliseconds; the message becomes its last error. */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';
  readonly afterMs: number;

  constructor(message: string, afterMs: number) {
    super(message);
    this.afterMs = afterMs;
  }
}

export const JOB_STATES = ['waiting', 'delayed', 'active', 'failed'] as const;

type JobState = (typeof JOB_STATES)[number];

export type QueueCounts = Readonly<Record<JobState, number>>;

export interface ListedJob {
  readonly id: string;
  readonly state: JobState;
  readonly attempts: number;
  readonly lastError: string | null;
}

/** The caller does the work without the queue. */
export class QueueUnavailable extends Error {
  override readonly name = 'QueueUnavailable';
}

/** Jobs outlive the process. They hold no state that the database lacks: an emptied queue loses nothing. */
export interface Queue {
  /** Rejects with `QueueUnavailable` within a few seconds. */
  add(job: NewJob): Promise<void>;
  /** Rejects with `QueueUnavailable` within a few seconds. */
  counts(): Promise<QueueCounts>;
  jobs(): Promise<readonly ListedJob[]>;
  /** Waits at most `CLOSING_MS` for running jobs. */
  close(): Promise<void>;
}

/** A queue as operators see it. */
export interface WatchedQueue extends Pick<Queue, 'counts' | 'jobs'> {
  readonly name: string;
}

export type OpenQueue = (options: QueueOptions) => Promise<Queue>;

export const CLOSING_MS = 3_000;

/** A nudge carries no event: each process reads the log from its own position, so a lost nudge costs only time. */
export interface Bus {
  readonly nudge: () => void;
  readonly onNudge: (listener: () => void) => () => void;
  /** Publishes a change without an event: here at once, in other processes within 100 ms. */
  readonly publish: (change: Change) => void;
  readonly onChange: (listener: (change: Change) => void) => () => void;
}

/** Agents' submissions, their webhooks, and names changed by operators. */
export const CHANGES = ['entries', 'webhooks', 'names'] as const;

export type Change = (typeof CHANGES)[number];

export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly retryAfterSeconds: number | null;
}

export function tighter(one: Allowance | null, other: Allowance | null): Allowance | null {
  if (one === null || other === null) return one ?? other;
  const wait = (one.retryAfterSeconds ?? 0) - (other.retryAfterSeconds ?? 0);
  return wait > 0 || (wait === 0 && one.remaining < other.remaining) ? one : other;
}

export interface Limiter {
  /** Limits are off: callers need not find out whose budget to spend. */
  readonly countsNothing?: true;
  /** `uses` defaults to 1; null when limits are off. */
  count(limit: LimitName, key: string, uses?: number): Promise<Allowance | null>;
  /** Counts nothing; null without a running window. */
  peek(limit: LimitName, key: string): Promise<Allowance | null>;
}

export interface StreamedEvent {
  readonly seq: number;
  readonly text: string;
}

/** Copies of event logs, for processes without a database. A log's events bear its id. */
export interface EventStream {
  /** A text about the log that is copied; null before a worker has copied one. */
  readonly head: () => Promise<string | null>;
  /** Removes the `replaced` log in the same transaction: afterwards no head names it. */
  readonly setHead: (text: string, replaced: string | null) => Promise<void>;
  readonly of: (log: string) => StreamedLog;
}

export interface StreamedLog {
  /** The seq of its newest event; null without any. */
  readonly newest: () => Promise<number | null>;
  readonly oldest: () => Promise<number | null>;
  /** At most `limit` events that follow `seq`, in order. */
  readonly after: (seq: number, limit: number) => Promise<readonly StreamedEvent[]>;
  /** Appends nothing and returns false unless `newest` is still the newest event. */
  readonly append: (newest: number | null, events: readonly StreamedEvent[]) => Promise<boolean>;
  readonly forgetBefore: (seq: number) => Promise<void>;
}

/** Rejects a call of a process that stops. */
export class RelayClosed extends Error {
  override readonly name = 'RelayClosed';
}

/** The event log, and the calls of processes without a database. */
export interface Relay {
  readonly stream: EventStream;
  /** Returns the result of a process that handles calls. Rejects without one in time. */
  readonly call: (data: object) => Promise<unknown>;
  /** Rejects waiting calls, and all that follow, with `RelayClosed`. */
  readonly stopCalling: () => void;
  /** Handles calls until the returned function is called. */
  readonly handleCalls: (run: (data: unknown) => Promise<unknown>) => () => Promise<void>;
}

export interface PartStatus {
  readonly part: 'queue' | 'bus' | 'limiter';
  readonly driver: string;
  readonly up: boolean;
}

/** Reports faults while all parts are up but the bus, which may lack rights: the backplane itself reports that one is not. */
export function reportingFaults(
  { status }: { readonly status: () => readonly PartStatus[] },
  report: (error: unknown) => void,
): (error: unknown) => void {
  return (error) => {
    if (status().every(({ part, up }) => up || part === 'bus')) report(error);
  };
}

export interface Backplane {
  readonly openQueue: OpenQueue;
  readonly bus: Bus;
  readonly limiter: Limiter;
  /** Null without Redis. */
  readonly relay: Relay | null;
  readonly status: () => readonly PartStatus[];
  /** Called after its queues have closed. Never waits for a store that does not answer. */
  readonly close: () => Promise<void>;
}

export interface DriverOptions {
  readonly processId: string;
  readonly report: (error: Error) => void;
  readonly warn: (message: string, fields?: object) => void;
}
