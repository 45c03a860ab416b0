import { setImmediate } from 'node:timers/promises';

/** Knows which promises are not settled yet, so that an end can wait for them. */
export interface UnderWay {
  /** Answers `work` itself. */
  readonly track: <T>(work: Promise<T>) => Promise<T>;
  /** Waits until all is settled, what began meanwhile or follows at once from what was settled included. */
  idle(): Promise<void>;
}

export function underWay(): UnderWay {
  const all = new Set<Promise<unknown>>();
  return {
    track: (work) => {
      const end = (): void => void all.delete(work);
      all.add(work);
      work.then(end, end);
      return work;
    },
    async idle() {
      do {
        await Promise.allSettled(all);
        // Whoever waited for what is settled now goes on first.
        await setImmediate();
      } while (all.size > 0);
    },
  };
}
