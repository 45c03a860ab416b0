/** Resolutions that this process does without the queue. */
export interface DirectResolutions {
  /** Begins to resolve these rounds, one at a time and in order, where none is under way and none has just failed. */
  start(roundIds: readonly number[]): void;
  /** Resolves when none is under way. */
  idle(): Promise<void>;
}

export interface DirectNeeds {
  readonly resolve: (roundId: number, attempt: number) => Promise<void>;
  /** Real milliseconds before a round is tried again after this failure. */
  readonly retryDelayMs: (error: Error, attempt: number) => number;
  readonly report: (error: unknown) => void;
  /** Whether waiting is all that the failure asks for. */
  readonly isExpected: (error: unknown) => boolean;
}

/**
 * What resolves rounds while no queue takes them. Who calls `start` does not wait, and calls it again as long as rounds
 * wait: the rounds that wait stand in the database, and of processes that try one at once a single one decides it.
 */
export function directResolutions({ resolve, retryDelayMs, report, isExpected }: DirectNeeds): DirectResolutions {
  const failures = new Map<number, number>();
  const resting = new Set<number>();
  let current: Promise<void> | null = null;
  const rest = (roundId: number, ms: number): void => {
    resting.add(roundId);
    setTimeout(() => resting.delete(roundId), ms).unref();
  };
  const tryOnce = async (roundId: number): Promise<void> => {
    const attempt = (failures.get(roundId) ?? 0) + 1;
    try {
      await resolve(roundId, attempt);
      failures.delete(roundId);
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      failures.set(roundId, attempt);
      rest(roundId, retryDelayMs(error, attempt));
      if (!isExpected(error)) report(error);
    }
  };
  const run = async (roundIds: readonly number[]): Promise<void> => {
    for (const roundId of roundIds) if (!resting.has(roundId)) await tryOnce(roundId);
  };
  return {
    start(roundIds) {
      current ??= run(roundIds).finally(() => {
        current = null;
      });
    },
    idle: async () => {
      await current;
    },
  };
}
