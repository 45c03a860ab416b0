/** Entries beside the agents of a board: they have no rank, and agents cannot use their names. */
export const BENCHMARKS = ['price', 'arena', 'crowd', 'coin'] as const;

export type Benchmark = (typeof BENCHMARKS)[number];

/** The default checkpoint of benchmarks: the middle of the hour. */
export const BENCHMARK_MINUTE = 30;
