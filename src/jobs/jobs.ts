import type { OpenQueue, Queue } from '../backplane/queue.ts';
import type { Clock } from '../clock.ts';
import { addHours, hourOf, MINUTE, SECOND } from '../rules/hours.ts';
import { NotDecidableYet, type ResolutionNeeds, resolveRound } from './resolution.ts';
import { reconcile } from './round-cycle.ts';

export interface JobNeeds extends ResolutionNeeds {
  readonly clock: Clock;
  readonly openQueue: OpenQueue;
  /** Called after a commit that may have written events. */
  readonly announce: () => void;
  readonly report: (error: unknown) => void;
}

/** The service's clockwork. */
export interface Jobs {
  /** Brings the rounds to the present; calls at the same moment share one run. */
  readonly reconcile: () => Promise<void>;
  /** Stops the timer and the queues; waits for what is under way. */
  close(): Promise<void>;
}

const QUICKEST_RETRY_MS = 20;
const FIRST_FAULT_DELAY_MS = SECOND;
const LONGEST_FAULT_DELAY_MS = MINUTE;
/** How long, in real time, the rounds are left alone at the most. */
const SAFETY_MS = 10 * SECOND;

/**
 * Opens the two queues: `round-cycle`, which turns the hours, and `resolve-round`, one job a round that is over, one
 * at a time and in order. Both only nudge: what is to be done stands in the database. A timer of this process's own
 * nudges as well, so that an emptied queue delays nothing for long.
 */
export async function startJobs(needs: JobNeeds): Promise<Jobs> {
  const { clock, openQueue, announce } = needs;
  const resolutions = await openQueue({
    name: 'resolve-round',
    concurrency: 1,
    async run({ data, attempt }) {
      await resolveRound(needs, roundIdOf(data), { now: clock.now(), attempt });
      announce();
    },
    retryDelayMs: (error, attempt) => retryDelayMs(clock, error, attempt),
  });
  let cycles: Queue | undefined;
  const turn = singleFlight(async () => {
    const now = clock.now();
    const waiting = await reconcile(needs, now);
    announce();
    for (const roundId of waiting) await resolutions.add({ id: `resolve-${roundId}`, data: { roundId } });
    const due = nextHour(now);
    await cycles?.add({ id: `turn-${due.getTime()}`, data: {}, delayMs: clock.realMsUntil(due) });
  });
  cycles = await openQueue({
    name: 'round-cycle',
    concurrency: 1,
    run: turn,
    retryDelayMs: (error, attempt) => retryDelayMs(clock, error, attempt),
  });
  const stopTimer = startTimer(clock, turn, needs.report);
  const close = async (): Promise<void> => {
    stopTimer();
    // In this order: a turn under way adds to both queues, and an addition to a closed queue never ends.
    await turn.idle();
    await cycles.close();
    await resolutions.close();
  };
  try {
    await turn();
  } catch (error) {
    await close();
    throw error;
  }
  return { reconcile: turn, close };
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
