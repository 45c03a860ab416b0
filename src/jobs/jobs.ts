import { type OpenQueue, type Queue, QueueUnavailable } from '../backplane/backplane.ts';
import { steadyMs } from '../clock.ts';
import { addHours, hourOf, SECOND } from '../rules/hours.ts';
import type { Picks } from '../rules/predictions.ts';
import { openResolver, type ResolverDeps } from './resolve/resolver-loop.ts';
import { withTimeout } from '../deadline.ts';
import { rerunAfter } from '../in-flight.ts';
import { nextCheckpoint, recordForecasts } from './cycle/record-forecasts.ts';
import { reconcile } from './cycle/round-cycle.ts';
import { applyStanding, nextStanding } from './cycle/apply-standing.ts';

export interface JobDeps extends Omit<ResolverDeps, 'wakeIn'> {
  readonly openQueue: OpenQueue;
  /** Whether others see answers, and forecasts, while the round runs. */
  readonly picks: Picks;
  /** How long before its end a round takes no more predictions, in milliseconds. */
  readonly lockMs: number;
  /** False: this process adds jobs and leaves them, and the hours, to others. */
  readonly works: boolean;
}

export interface Jobs {
  /** Brings the rounds to the present; calls at the same moment share one run. */
  readonly reconcile: () => Promise<void>;
  /** Stops the timer and the queue; waits for what is in flight, for a few seconds at the most. */
  close(): Promise<void>;
}

/** The queue whose jobs wake the processes that work. */
export const TURNS = 'round-cycle';

/** The longest and the shortest pause between two turns of the rounds, in real milliseconds. */
const SAFETY_MS = 10 * SECOND;
const SHORTEST_MS = 20;
/** How long, in real time, after a turn that failed. */
const AFTER_FAULT_MS = SECOND;
/** How long, in real time, closing takes at the most. */
const CLOSING_MS = 4 * SECOND;

/**
 * Opens the queue `round-cycle`, whose jobs turn the hours. They only wake: what is to be done stands in the database,
 * and a timer of this process's own wakes as well, at each hour's edge, when a round that waits is to be tried again,
 * and every few seconds. A turn stores, opens and closes rounds, sees to it that those
 * that wait are resolved, makes predictions of what stands, and records the forecast that is due.
 */
export async function startJobs(deps: JobDeps): Promise<Jobs> {
  const { clock, works, announce, report } = deps;
  const timer = openTimer(() => {
    turn().catch((error: unknown) => {
      report(error);
      timer.within(AFTER_FAULT_MS);
    });
  });
  const tries = openTimer(() => resolver.wake());
  const resolver = openResolver({ ...deps, wakeIn: tries.within });
  let queue: Queue | undefined;
  const turn = rerunAfter(async () => {
    const now = clock.now();
    const next = [nextHour(now), ...(works ? [nextCheckpoint(now), nextStanding(now, deps.lockMs)] : [])];
    timer.within(Math.min(...next.map((time) => clock.realMsUntil(time) + 1), SAFETY_MS));
    const waiting = await reconcile(deps, now);
    announce();
    if (works) {
      resolver.wake();
      await applyStanding(deps).catch(report);
      await recordForecasts(deps).catch(report);
      await addIfTaken(queue, nextHour(now), clock.realMsUntil(nextHour(now)));
    } else if (waiting.length > 0) await addIfTaken(queue, hourOf(now), 0);
  });
  queue = await deps.openQueue({ name: TURNS, run: works ? reporting(turn, report) : null });
  if (works) for (const one of [timer, tries]) one.start();
  const close = async (): Promise<void> => {
    for (const one of [timer, tries]) one.stop();
    // A turn in flight adds to the queue, which is open as long.
    const closed = Promise.all([resolver.close(), turn.settled().then(() => queue.close())]);
    await withTimeout(CLOSING_MS, closed);
  };
  try {
    await turn();
  } catch (error) {
    await close();
    throw error;
  }
  return { reconcile: turn, close };
}

/** The queue tries again by itself, and says nothing of why. */
function reporting(turn: () => Promise<void>, report: (error: unknown) => void) {
  return async (): Promise<void> => {
    await turn().catch((error: unknown) => {
      report(error);
      throw error;
    });
  };
}

/** A queue that cannot be reached reports that itself; the timers of the processes that work do without it. */
async function addIfTaken(queue: Queue | undefined, hour: Date, delayMs: number): Promise<void> {
  try {
    await queue?.add({ id: `turn-${hour.getTime()}`, delayMs });
  } catch (error) {
    if (!(error instanceof QueueUnavailable)) throw error;
  }
}

function nextHour(now: Date): Date {
  return addHours(hourOf(now), 1);
}

/** Fires once within so many real milliseconds, at the earliest time that was asked for, once it was started. */
function openTimer(fire: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let at = Number.POSITIVE_INFINITY;
  let isOn = false;
  const arm = (): void => {
    clearTimeout(timer);
    if (!isOn || at === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(
      () => {
        at = Number.POSITIVE_INFINITY;
        fire();
      },
      Math.max(0, at - steadyMs()),
    );
  };
  return {
    within(this: void, ms: number) {
      at = Math.min(at, steadyMs() + Math.max(ms, SHORTEST_MS));
      arm();
    },
    start() {
      isOn = true;
      arm();
    },
    stop() {
      isOn = false;
      clearTimeout(timer);
    },
  };
}
