import { z } from 'zod';

import { estimate } from '../../rules/breakdowns.ts';
import { CANDIDATES } from '../../rules/forecast/candidates.ts';
import { NO_RECORD, recordWith } from '../../rules/forecast/record.ts';
import {
  binSums,
  PROBABILITY_SOURCES,
  reliabilityOf,
  type ResolvedForecast,
} from '../../rules/forecast/reliability.ts';
import type { Kind } from '../../rules/kinds.ts';
import type { Values } from '../findings.ts';

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

export function checkpointRecord(minute: number, scored: readonly ScoredForecast[]): Values {
  const sums = scored.reduce((so, one) => recordWith(so, { ...one, choiceCount: one.probabilities.length }), NO_RECORD);
  const { rounds, brier: totalBrier } = sums;
  const [totalPriceBrier = 0, ...candidates] = sums.expertBriers;
  const meanOf = (sum: number): number | null => (rounds === 0 ? null : sum / rounds);
  return {
    minute,
    rounds,
    brier: meanOf(totalBrier),
    priceBrier: meanOf(totalPriceBrier),
    crowdBrier: meanOf(candidates[0] ?? 0),
    edge: estimate(sums.edge),
    totalBrier,
    totalPriceBrier,
    bestCandidate: rounds === 0 ? null : CANDIDATES[candidates.indexOf(Math.min(...candidates))],
    calibration: reliabilityOf(binSums(scored), minute),
  };
}
