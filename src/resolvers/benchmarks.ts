import { type CheckpointSums, forecastSums } from '../reads/forecasts.ts';
import type { Board } from '../reads/plan/board.ts';
import { type Benchmark, BENCHMARK_MINUTE, BENCHMARKS } from '../rules/benchmarks.ts';
import { estimate } from '../rules/breakdowns.ts';
import type { Sums } from '../rules/statistics/means.ts';
import { type Period, PERIODS } from '../rules/windows.ts';
import type { Context } from './context.ts';
import { checkpointAt, meanOf } from './forecasts.ts';

/** The sums that each is made of. */
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

function sumsIn({ services: { read } }: Pick<Context, 'services'>, window: Period): Promise<readonly CheckpointSums[]> {
  return read((em) => forecastSums(em, { window, questionType: null, asset: null }));
}

/** A benchmark's record in each window at each checkpoint. */
export async function benchmarkRecord(name: Benchmark, context: Pick<Context, 'services'>) {
  const records = PERIODS.map(async (period) => {
    const found = await sumsIn(context, period);
    return found.map((sums) => benchmarkOf(name, period, sums));
  });
  return (await Promise.all(records)).flat();
}

/** All of them, judged at one checkpoint. */
export async function benchmarksOf(
  { period }: Pick<Board, 'period'>,
  minute: number | null | undefined,
  context: Pick<Context, 'services'>,
) {
  const checkpoint = checkpointAt(minute ?? BENCHMARK_MINUTE);
  const sums = (await sumsIn(context, period)).filter((one) => one.minute === checkpoint);
  return sums.flatMap((one) => BENCHMARKS.map((name) => benchmarkOf(name, period, one)));
}
