/** Received items, and ways to await more. */
export interface Collected<T> {
  readonly items: readonly T[];
  /** Rejects if an error ends it before `count`. */
  first(count: number): Promise<readonly T[]>;
  /** All received items when `enough` first holds. */
  until(enough: (items: readonly T[]) => boolean): Promise<readonly T[]>;
}

export interface Collector<T> extends Collected<T> {
  add(item: T): void;
  fail(error: Error): void;
}

export function collector<T>(): Collector<T> {
  const items: T[] = [];
  const waiting = new Set<() => void>();
  let failure: Error | null = null;
  const wake = (): void => {
    for (const look of waiting) look();
  };
  const until = (enough: (found: readonly T[]) => boolean): Promise<readonly T[]> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (enough(items)) resolve([...items]);
        else if (failure === null) return;
        else reject(failure);
        waiting.delete(look);
      };
      waiting.add(look);
      look();
    });
  return {
    items,
    add(item) {
      items.push(item);
      wake();
    },
    fail(error) {
      failure = error;
      wake();
    },
    first: async (count) => (await until(({ length }) => length >= count)).slice(0, count),
    until,
  };
}
