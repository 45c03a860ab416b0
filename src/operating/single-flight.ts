/** Callers while a run is under way share its result: however many ask, the work is done once at a time. */
export function singleFlight<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<Result> | null = null;
  return () =>
    (current ??= run().finally(() => {
      current = null;
    }));
}
