import { type OpenQueue, type Queue, type QueueOptions, QueueUnavailable } from '../backplane/queue.ts';
import type { Clock } from '../clock.ts';
import { addHours, hourOf, MINUTE, SECOND } from '../rules/hours.ts';
import { waitAtMost } from '../wait-at-most.ts';
import { directResolutions } from './direct-resolutions.ts';
import { CYCLES, RESOLUTIONS, resolutionJob } from './queue-names.ts';
import { NotDecidableYet, type ResolutionNeeds, resolveRound } from './resolution.ts';
import { reconcile } from './round-cycle.ts';

export interface JobNeeds extends ResolutionNeeds {
  readonly clock: Clock;
  readonly openQueue: OpenQueue;
  /** False: this process adds jobs and leaves them, and the hours, to others. */
  readonly works: boolean;
  /** Called after a commit that may have written events. */
  readonly announce: () => void;
  readonly report: (error: unknown) => void;
}

/** The service's clockwork. */
export interface Jobs {
  /** Brings the rounds to the present; calls at the same moment share one run. */
  readonly reconcile: () => Promise<void>;
  /** Stops the timer and the queues; waits for what is under way, for a few seconds at the most. */
  close(): Promise<void>;
}

const QUICKEST_RETRY_MS = 20;
const FIRST_FAULT_DELAY_MS = SECOND;
const LONGEST_FAULT_DELAY_MS = MINUTE;
/** How long, in real time, the rounds are left alone at the most. */
const SAFETY_MS = 10 * SECOND;
/** How long, in real time, closing takes at the most; a job that takes longer is run again by another process. */
const CLOSING_MS = 4 * SECOND;

/**
 * Opens the two queues: `round-cycle`, which turns the hours, and `resolve-round`, one job a round that is over, one
 * at a time and in order. Both only nudge: what is to be done stands in the database. A timer of this process's own
 * nudges as well, so that an emptied queue delays nothing for long, and what no queue takes is done without.
 */
export async function startJobs(needs: JobNeeds): Promise<Jobs> {
  const { clock, works, announce, report } = needs;
  const delayOf = (error: Error, attempt: number): number => retryDelayMs(clock, error, attempt);
  const resolve = async (roundId: number, attempt: number): Promise<void> => {
    await resolveRound(needs, roundId, { now: clock.now(), attempt });
    announce();
  };
  const direct = directResolutions({ resolve, retryDelayMs: delayOf, report, isExpected: isWaiting });
  // The queue tries again by itself, and says nothing of why.
  const reported =
    (run: NonNullable<QueueOptions['run']>): typeof run =>
    async (job) => {
      await run(job).catch((error: unknown) => {
        if (!isWaiting(error)) report(error);
        throw error;
      });
    };
  const open = (name: string, run: NonNullable<QueueOptions['run']>): Promise<Queue> =>
    needs.openQueue({ name, concurrency: 1, run: works ? reported(run) : null, retryDelayMs: delayOf });
  const resolutions = await open(RESOLUTIONS, ({ data, attempt }) => resolve(roundIdOf(data), attempt));
  let cycles: Queue | undefined;
  const turn = singleFlight(async () => {
    const now = clock.now();
    const waiting = await reconcile(needs, now);
    announce();
    if (!(await isTaken(() => addResolutions(resolutions, waiting))) && works) direct.start(waiting);
    const due = nextHour(now);
    const next = { id: `turn-${due.getTime()}`, data: {}, delayMs: clock.realMsUntil(due) };
    // Without it this process's own timer turns the hour.
    if (works) await isTaken(async () => cycles?.add(next));
  });
  cycles = await open(CYCLES, turn);
  const queues = [resolutions, cycles];
  const stopTimer = works ? startTimer(clock, turn, report) : noop;
  const close = async (): Promise<void> => {
    stopTimer();
    await waitAtMost(CLOSING_MS, closeInOrder([turn, direct], queues));
  };
  try {
    await turn();
  } catch (error) {
    await close();
    throw error;
  }
  return { reconcile: turn, close };
}

/** A turn under way adds to both queues, which are open as long. */
async function closeInOrder(work: readonly Pick<SingleFlight, 'idle'>[], queues: readonly Queue[]): Promise<void> {
  await Promise.all(work.map(({ idle }) => idle()));
  await Promise.all(queues.map((queue) => queue.close()));
}

async function addResolutions(resolutions: Queue, roundIds: readonly number[]): Promise<void> {
  for (const roundId of roundIds) await resolutions.add({ id: resolutionJob(roundId), data: { roundId } });
}

/** False when the queue is out of reach, which it tells by itself. */
async function isTaken(add: () => Promise<void>): Promise<boolean> {
  try {
    await add();
    return true;
  } catch (error) {
    if (error instanceof QueueUnavailable) return false;
    throw error;
  }
}

function isWaiting(error: unknown): boolean {
  return error instanceof NotDecidableYet;
}

function nextHour(now: Date): Date {
  return addHours(hourOf(now), 1);
}

function roundIdOf(data: Readonly<Record<string, number>>): number {
  const { roundId } = data;
  if (roundId === undefined) throw new Error('A resolution job carries no round id');
  return roundId;
}

function retryDelayMs(clock: Clock, error: Error, attempt: number): number {
  if (error instanceof NotDecidableYet) return Math.max(QUICKEST_RETRY_MS, Math.ceil(error.delayMs / clock.speed));
  return Math.min(FIRST_FAULT_DELAY_MS * 2 ** Math.min(attempt - 1, 10), LONGEST_FAULT_DELAY_MS);
}

/** Runs `turn` at each hour's edge, and at least every few seconds. */
function startTimer(clock: Clock, turn: () => Promise<void>, report: (error: unknown) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const arm = (): void => {
    timer = setTimeout(fire, Math.min(clock.realMsUntil(nextHour(clock.now())) + 1, SAFETY_MS));
  };
  const fire = (): void => {
    arm();
    turn().catch(report);
  };
  arm();
  return () => clearTimeout(timer);
}

interface SingleFlight {
  (): Promise<void>;
  /** Resolves when none is under way. */
  idle(): Promise<void>;
}

/** Calls while one is under way wait for it and then share one more run, which sees what they have seen. */
function singleFlight(run: () => Promise<void>): SingleFlight {
  let current: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const start = (): Promise<void> => {
    current = run().finally(() => {
      current = null;
    });
    return current;
  };
  const call = (): Promise<void> => {
    if (current === null) return start();
    next ??= current.then(noop, noop).then(() => {
      next = null;
      return start();
    });
    return next;
  };
  return Object.assign(call, { idle: () => (next ?? current ?? Promise.resolve()).then(noop, noop) });
}

function noop(): void {}
