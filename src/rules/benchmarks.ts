/** Entries beside the agents of a board: they have no rank, and agents cannot use their names. */
export const BENCHMARKS = ['price', 'arena', 'crowd', 'coin'] as const;

export type Benchmark = (typeof BENCHMARKS)[number];

/** The checkpoint whose forecasts are benchmarks, if no other is requested. */
export const BENCHMARK_MINUTE = 30;
