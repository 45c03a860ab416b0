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
