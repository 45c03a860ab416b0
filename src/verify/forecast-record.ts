import { z } from 'zod';

import { estimate } from '../rules/breakdowns.ts';
import { CANDIDATES } from '../rules/forecast/candidates.ts';
import { EXPERTS } from '../rules/forecast/mixture.ts';
import { binSums, PROBABILITY_SOURCES, reliabilityOf, type ResolvedForecast } from '../rules/forecast/reliability.ts';
import type { Kind } from '../rules/kinds.ts';
import type { Values } from './findings.ts';

/** The selection of a `forecastRecord`. */
export const RECORD = `{ checkpoints { minute rounds brier priceBrier crowdBrier
    edge { mean low high n } totalBrier totalPriceBrier bestCandidate
    calibration { from to ${PROBABILITY_SOURCES.map((one) => `${one} { n meanProbability hitRate }`).join(' ')} } } }`;

export const RECORD_READ = z.object({ checkpoints: z.array(z.record(z.string(), z.unknown())) });

export interface ScoredForecast extends ResolvedForecast {
  readonly end: Date;
  readonly kinds: readonly Kind[];
  readonly brier: number;
  readonly expertBriers: readonly number[];
}

export function recordOf(minute: number, scored: readonly ScoredForecast[]): Values {
  const n = scored.length;
  const sumOf = (of: (one: ScoredForecast) => number): number => scored.reduce((sum, one) => sum + of(one), 0);
  const [totalPriceBrier = 0, ...candidates] = EXPERTS.map((_, index) => sumOf((one) => one.expertBriers[index] ?? 0));
  const totalBrier = sumOf(({ brier }) => brier);
  const edge = ({ brier, expertBriers }: ScoredForecast): number => (expertBriers[0] ?? 0) - brier;
  const meanOf = (sum: number): number | null => (n === 0 ? null : sum / n);
  return {
    minute,
    rounds: n,
    brier: meanOf(totalBrier),
    priceBrier: meanOf(totalPriceBrier),
    crowdBrier: meanOf(candidates[0] ?? 0),
    edge: inOrder(estimate({ n, sum: sumOf(edge), squareSum: sumOf((one) => edge(one) * edge(one)) })),
    totalBrier,
    totalPriceBrier,
    bestCandidate: n === 0 ? null : CANDIDATES[candidates.indexOf(Math.min(...candidates))],
    calibration: reliabilityOf(binSums(scored), minute),
  };
}

function inOrder(found: ReturnType<typeof estimate>) {
  return found && { mean: found.mean, low: found.low, high: found.high, n: found.n };
}
