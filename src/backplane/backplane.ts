import { type LimitName, LIMITS } from '../limits.ts';
import { DomainError } from '../rules/errors.ts';
import { MINUTE, SECOND } from '../rules/hours.ts';

/** A piece of work that waits in a queue. One with the id of a job that still waits, runs or retries is not added. */
export interface NewJob {
  readonly id: string;
  /** Real milliseconds to wait before it runs. */
  readonly delayMs?: number;
}

/** The name of a queue and the work of its jobs. */
export interface QueueOptions {
  readonly name: string;
  /**
   * A rejection means: try again a second later, or when `TryAgain` asks for it. A job is run until it succeeds, also by another
   * process when this one dies. Null: this process only adds, and leaves the work to others.
   */
  readonly run: ((id: string) => Promise<void>) | null;
  /** Jobs that run at a time in each process; 1 unless given. */
  readonly concurrency?: number;
}

/** Thrown by a job that is to be tried again after so many real milliseconds; the message is the job's last error. */
export class TryAgain extends Error {
  override readonly name = 'TryAgain';
  readonly afterMs: number;

  constructor(message: string, afterMs: number) {
    super(message);
    this.afterMs = afterMs;
  }
}

/** The states of a job: to be run now, later or again, being run, and given up. */
export const JOB_STATES = ['waiting', 'delayed', 'active', 'failed'] as const;

type JobState = (typeof JOB_STATES)[number];

/** The number of jobs in a queue by state, over all processes. */
export type QueueCounts = Readonly<Record<JobState, number>>;

/** A job that is not done. */
export interface ListedJob {
  readonly id: string;
  readonly state: JobState;
  /** Attempts that failed. */
  readonly attempts: number;
  readonly lastError: string | null;
}

/** The queue is out of reach or takes nothing at present; whoever has work does it without. */
export class QueueUnavailable extends Error {
  override readonly name = 'QueueUnavailable';
}

/** Work that outlives the process. It holds no state that the database lacks: an emptied queue loses nothing. */
export interface Queue {
  /** Rejects with `QueueUnavailable`, within a few seconds, when the queue cannot take it. */
  add(job: NewJob): Promise<void>;
  /** Rejects with `QueueUnavailable`, within a few seconds, when the queue does not answer. */
  counts(): Promise<QueueCounts>;
  /** The jobs that are not done; rejects as `counts` does. */
  jobs(): Promise<readonly ListedJob[]>;
  /** Takes no more work and waits for what is in flight, for `CLOSING_MS` at the most. */
  close(): Promise<void>;
}

export type OpenQueue = (options: QueueOptions) => Promise<Queue>;

/** How long, in real milliseconds, a queue waits for its running jobs when it closes. */
export const CLOSING_MS = 3_000;

/**
 * Tells every process that the event log has grown. It carries no event: each process reads the log from where it is,
 * so a lost nudge costs time and never an event.
 */
export interface Bus {
  readonly nudge: () => void;
  /** Calls `listener` after each nudge of any process; the returned function ends that. */
  readonly onNudge: (listener: () => void) => () => void;
  /** Tells every process that something has changed of which no event is written: this one at once, others within 100 ms. */
  readonly tell: (change: Change) => void;
  /** Calls `listener` after each change in any process; the returned function ends that. */
  readonly onChange: (listener: (change: Change) => void) => () => void;
}

/** Changes without an event: what agents send, their webhooks, and the names that operators have changed. */
export const CHANGES = ['entries', 'webhooks', 'names'] as const;

export type Change = (typeof CHANGES)[number];

/** What is left of a budget after a request was counted. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Whole real seconds until the window ends and a new one may begin. */
  readonly resetSeconds: number;
  /** Whole real seconds until the window ends; null when the request is within the limit. */
  readonly retryAfterSeconds: number | null;
}

/** A spent budget before others, then the one with the least left. */
export function tighter(one: Allowance | null, other: Allowance | null): Allowance | null {
  if (one === null || other === null) return one ?? other;
  const wait = (one.retryAfterSeconds ?? 0) - (other.retryAfterSeconds ?? 0);
  return wait > 0 || (wait === 0 && one.remaining < other.remaining) ? one : other;
}

/** The length of a budget's window in a word. */
export function windowWord(name: LimitName): 'minute' | 'hour' {
  return LIMITS[name].windowMs === MINUTE ? 'minute' : 'hour';
}

/** The refusal of who has spent a budget, by what was asked for; `advice` stands behind its sentence. */
export function budgetSpent(
  name: LimitName,
  { asked, retryAfter, advice = '' }: { readonly asked: string; readonly retryAfter: number; readonly advice?: string },
): DomainError {
  const { requests: limit, windowMs } = LIMITS[name];
  const message = `Rate limit for ${asked} reached: ${limit} per ${windowWord(name)}. Retry in ${retryAfter} s.${advice}`;
  return new DomainError('rate_limited', message, {
    retryAfter,
    budget: { endpoint: asked, limit, windowSeconds: windowMs / SECOND },
  });
}

/** Counts requests in fixed windows that begin with a key's first request. */
export interface Limiter {
  /** True where limits are off: whose budget a request would spend need not be found out. */
  readonly countsNothing?: true;
  /** Counts one request of `key`, or as many as `uses` says; null when limits are off. */
  count(limit: LimitName, key: string, uses?: number): Promise<Allowance | null>;
}

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
  /** The jobs of the open queues. Rejects with `QueueUnavailable`. */
  jobs(): Promise<readonly ListedJob[]>;
  /** Ends what is shared; its queues have been closed before. It never waits for a store that does not answer. */
  close(): Promise<void>;
}

/** A queue as a driver makes it. */
export interface DriverQueue extends Queue {
  readonly name: string;
}

/** A backplane as a driver makes it: whoever opens it keeps the list of its queues. */
export interface BackplaneDriver extends Omit<Backplane, 'openQueue' | 'counts' | 'jobs'> {
  readonly openQueue: (options: QueueOptions) => Promise<DriverQueue>;
}

export interface DriverOptions {
  /** Different in every process. */
  readonly processId: string;
  readonly report: (error: Error) => void;
  /** Takes what an operator should know of. */
  readonly warn: (message: string, fields?: object) => void;
}
