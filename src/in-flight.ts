import { setImmediate } from 'node:timers/promises';

/** Tracks pending promises, so that shutdown can wait for them. */
export interface PendingWork {
  /** Returns `work` itself. */
  readonly track: <T>(work: Promise<T>) => Promise<T>;
  /** Resolves when no promise is pending, also none that was added meanwhile or begins at once after another settled. */
  settled(): Promise<void>;
}

export function pendingWork(): PendingWork {
  const all = new Set<Promise<unknown>>();
  return {
    track: (work) => {
      const end = (): void => void all.delete(work);
      all.add(work);
      work.then(end, end);
      return work;
    },
    async settled() {
      do {
        await Promise.allSettled(all);
        // Code that awaited what has just settled runs first, since it may add more.
        await setImmediate();
      } while (all.size > 0);
    },
  };
}

/** Calls while a run is in flight share its result: however many ask, it is done once at a time. */
export function singleFlight<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<Result> | null = null;
  return () =>
    (current ??= run().finally(() => {
      current = null;
    }));
}

/** What `make` makes when it is first asked for, kept for good; what fails is made anew for the next who asks. */
export function madeOnce<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}

/** Work that runs once more for those who ask while it runs, since they may know what it has not seen. */
export interface Rerun {
  /** Begins a run, or joins the one that follows the run in flight. */
  (): Promise<void>;
  /** Resolves when no run is in flight or to come. */
  readonly settled: () => Promise<void>;
}

/** Never two runs at a time; all who ask during one share the next. */
export function rerunAfter(run: () => Promise<void>): Rerun {
  let current: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const start = (): Promise<void> => {
    current = run().finally(() => {
      current = null;
    });
    return current;
  };
  const call = (): Promise<void> => {
    if (next !== null) return next;
    if (current === null) return start();
    next = current.then(noop, noop).then(() => {
      next = null;
      return start();
    });
    return next;
  };
  return Object.assign(call, { settled: () => (next ?? current ?? Promise.resolve()).then(noop, noop) });
}

function noop(): void {}

/** The signal was aborted before the task's turn came: it was not run. */
export class TurnMissed extends Error {
  override readonly name = 'TurnMissed';
}

/** Runs a task when its turn comes. Rejects with `TurnMissed` when the signal is aborted before. */
export type Semaphore = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** Runs tasks, at most `max` of them at once; the others wait in the order in which they came. */
export function semaphore(max: number): Semaphore {
  const waiting = new Set<() => void>();
  let running = 0;
  return async (task, signal) => {
    if (signal?.aborted) throw new TurnMissed();
    if (running >= max) await turnIn(waiting, signal);
    else running++;
    try {
      return await task();
    } finally {
      const [next] = waiting;
      if (next === undefined) running--;
      else next();
    }
  };
}

/** Waits for the turn that somebody hands on; whose time is over leaves the queue. */
function turnIn(waiting: Set<() => void>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      waiting.delete(begin);
      reject(new TurnMissed());
    };
    const begin = (): void => {
      waiting.delete(begin);
      signal?.removeEventListener('abort', leave);
      resolve();
    };
    waiting.add(begin);
    signal?.addEventListener('abort', leave, { once: true });
  });
}
