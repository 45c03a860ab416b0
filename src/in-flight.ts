import { setImmediate } from 'node:timers/promises';

export type PendingWork = ReturnType<typeof pendingWork>;

export function pendingWork() {
  const all = new Set<Promise<unknown>>();
  return {
    track: <T>(work: Promise<T>): Promise<T> => {
      const end = (): void => void all.delete(work);
      all.add(work);
      work.then(end, end);
      return work;
    },
    /** Includes promises added meanwhile, or directly after another settled. */
    async settled(): Promise<void> {
      do {
        await Promise.allSettled(all);
        // Code that awaited a settled promise runs first, since it may add more.
        await setImmediate();
      } while (all.size > 0);
    },
  };
}

export function singleFlight<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<Result> | null = null;
  return () =>
    (current ??= run().finally(() => {
      current = null;
    }));
}

/** Cached for good once it succeeds; failures are retried by the next caller. */
export function madeOnce<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}

/** One value for each object, made at its first use and kept as long as the object. */
export function madeOnceFor<Of extends object, Made extends {} | null>(make: (of: Of) => Made): (of: Of) => Made {
  const all = new WeakMap<Of, Made>();
  return (of) => {
    const known = all.get(of);
    if (known !== undefined) return known;
    const made = make(of);
    all.set(of, made);
    return made;
  };
}

/** Never two runs at a time. Callers during a run share the next one, since the current one may miss their changes. */
export function rerunAfter(run: () => Promise<void>) {
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

export class TurnMissed extends Error {
  override readonly name = 'TurnMissed';
}

/** Rejects with `TurnMissed` if the signal is aborted before the task runs. */
type Semaphore = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

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
