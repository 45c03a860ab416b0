/** What has come so far, and a way to wait for more. */
export interface Collected<T> {
  readonly items: readonly T[];
  /** The first `count`; rejects when it ends with an error before. */
  first(count: number): Promise<readonly T[]>;
  /** All that has come when `enough` first says so. */
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
