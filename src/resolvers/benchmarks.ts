import type { CheckpointSums } from '../reads/forecast-record.ts';
import { type Benchmark, BENCHMARK_MINUTE, BENCHMARKS } from '../rules/benchmarks.ts';
import { estimate } from '../rules/breakdowns.ts';
import type { Sums } from '../rules/statistics/means.ts';
import { type Period, PERIODS } from '../rules/windows.ts';
import { checkpointAt, meanOf, recordSums } from './forecasts.ts';
import type { Resolvers } from './schema-types.ts';

const FIGURES: Readonly<Record<Benchmark, (sums: CheckpointSums) => { brier: number | undefined; edge: Sums }>> = {
  price: ({ expertBriers, rounds }) => ({ brier: expertBriers[0], edge: { n: rounds, sum: 0, squareSum: 0 } }),
  arena: ({ brier, edge }) => ({ brier, edge }),
  crowd: ({ expertBriers, crowdEdge }) => ({ brier: expertBriers[1], edge: crowdEdge }),
  coin: ({ coinBrier, coinEdge }) => ({ brier: coinBrier, edge: coinEdge }),
};

function benchmarkOf(name: Benchmark, period: Period, sums: CheckpointSums) {
  const { brier, edge } = FIGURES[name](sums);
  return { name, period, minute: sums.minute, rounds: sums.rounds, brier: meanOf(brier, sums), edge: estimate(edge) };
}

export const benchmarkResolvers = {
  Query: {
    async benchmark(_root, { name }, context) {
      const records = PERIODS.map(async (period) => {
        const found = await recordSums({ kind: null, period }, context);
        return found.map((sums) => benchmarkOf(name, period, sums));
      });
      return (await Promise.all(records)).flat();
    },
  },
  Leaderboard: {
    async benchmarks(board, { minute }, context) {
      const checkpoint = checkpointAt(minute ?? BENCHMARK_MINUTE);
      const sums = (await recordSums(board, context)).filter((one) => one.minute === checkpoint);
      return sums.flatMap((one) => BENCHMARKS.map((name) => benchmarkOf(name, board.period, one)));
    },
  },
} satisfies Resolvers;
