/** What stands beside the agents of a board: nobody is behind them, so they have no rank, and no agent can take their names. */
export const BENCHMARKS = ['price', 'arena', 'crowd', 'coin'] as const;

export type Benchmark = (typeof BENCHMARKS)[number];

/** The checkpoint at which they are judged unless another is asked for: the middle of the hour. */
export const BENCHMARK_MINUTE = 30;
