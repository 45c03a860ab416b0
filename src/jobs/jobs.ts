import { steadyMs } from '../clock.ts';
import { addHours, hourOf, SECOND } from '../rules/hours.ts';
import type { WatchedQueue } from '../backplane/backplane.ts';
import { openResolveJobs, type ResolveJobsDeps } from './resolve/resolve-jobs.ts';
import { withTimeout } from '../deadline.ts';
import { rerunAfter } from '../in-flight.ts';
import { nextCheckpoint, recordForecasts, type RecordingDeps } from './cycle/record-forecasts.ts';
import { type MonthDeps, monthTurner } from './months.ts';
import { reconcile } from './cycle/round-cycle.ts';
import { applyDefaultAnswers, type DefaultAnswerDeps, nextDefaultAnswers } from './cycle/apply-default-answers.ts';

export type JobDeps = Omit<ResolveJobsDeps, 'wakeIn'> & DefaultAnswerDeps & RecordingDeps & MonthDeps;

export interface Jobs {
  readonly queue: WatchedQueue;
  /** Brings the rounds to the present; calls at the same moment share one run. */
  readonly reconcile: () => Promise<void>;
  /** Stops the timer and the queue; waits a few seconds at most for work in flight. */
  close(): Promise<void>;
}

/** The longest and the shortest pause between two turns of the rounds, in real milliseconds. */
const SAFETY_MS = 10 * SECOND;
const SHORTEST_MS = 20;
/** The pause after a failed turn, in real milliseconds. */
const AFTER_FAULT_MS = SECOND;
/** The maximum duration of closing, in real milliseconds. */
const CLOSING_MS = 4 * SECOND;

/**
 * Turns the hours by a timer: at each hour's edge, when something is due, and every few seconds. A turn stores, opens and closes
 * rounds, and adds the jobs that resolve those that are over. Then it submits default answers, records the forecast that is
 * due, makes the tables of coming months, and drops old ones.
 */
export async function startJobs(deps: JobDeps): Promise<Jobs> {
  const { clock, works, announce, report } = deps;
  const timer = openTimer(() => {
    turn().catch((error: unknown) => {
      report(error);
      timer.within(AFTER_FAULT_MS);
    });
  });
  const resolving = await openResolveJobs({ ...deps, wakeIn: timer.within });
  const record = async (): Promise<void> => {
    await applyDefaultAnswers(deps).catch(report);
    await recordForecasts(deps).catch(report);
  };
  const turnMonths = monthTurner(deps);
  // Beside the turns: checks and drops of large months take longer than an hour's edge may wait.
  const months = rerunAfter(() => turnMonths(clock.now()).catch(report));
  const turn = rerunAfter(async () => {
    const now = clock.now();
    const next = [
      addHours(hourOf(now), 1),
      ...(works ? [nextCheckpoint(now), nextDefaultAnswers(now, deps.lockMs)] : []),
    ];
    timer.within(Math.min(...next.map((time) => clock.realMsUntil(time) + 1), SAFETY_MS));
    const waiting = await reconcile(deps, now);
    announce();
    if (works) void months();
    await Promise.all([works || waiting.length > 0 ? resolving.add() : null, works ? record() : null]);
  });
  if (works) timer.start();
  const close = async (): Promise<void> => {
    timer.stop();
    // A turn in flight adds to the queue, which is open as long.
    const closed = turn.settled().then(() => Promise.all([resolving.close(), months.settled()]));
    await withTimeout(CLOSING_MS, closed);
  };
  try {
    await turn();
  } catch (error) {
    await close();
    throw error;
  }
  return { queue: resolving.queue, reconcile: turn, close };
}

/** Once started, fires once at the earliest requested time, in real milliseconds. */
function openTimer(fire: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let at = Number.POSITIVE_INFINITY;
  let isOn = false;
  const within = (ms: number): void => {
    at = Math.min(at, steadyMs() + Math.max(ms, SHORTEST_MS));
    clearTimeout(timer);
    if (isOn) timer = setTimeout(ring, Math.max(0, at - steadyMs()));
  };
  const ring = (): void => {
    at = Number.POSITIVE_INFINITY;
    fire();
  };
  return {
    within,
    start: (): void => {
      isOn = true;
      within(SAFETY_MS);
    },
    stop: (): void => {
      isOn = false;
      clearTimeout(timer);
    },
  };
}
