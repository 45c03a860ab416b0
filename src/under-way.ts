/** Knows which promises are not settled yet, so that an end can wait for them. */
export interface UnderWay {
  /** Answers `work` itself. */
  readonly track: <T>(work: Promise<T>) => Promise<T>;
  /** Waits until all is settled, what began meanwhile included. */
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
      while (all.size > 0) await Promise.allSettled(all);
    },
  };
}
