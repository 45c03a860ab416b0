import { isAsset } from '../assets.ts';
import type { Kind } from '../kinds.ts';
import type { Sums } from '../statistics/means.ts';
import { EXPERTS } from './mixture.ts';

/** The rounds of a kind, or all. */
export type RecordKind = Kind | typeof ALL_KINDS;

export const ALL_KINDS = '*';

/** Sums of one checkpoint's forecasts over resolved rounds. */
export interface RecordSums {
  readonly rounds: number;
  readonly brier: number;
  /** In the order of `EXPERTS`. */
  readonly expertBriers: readonly number[];
  readonly coinBrier: number;
  /** The price's Brier score - the forecast's. */
  readonly edge: Sums;
  /** The price's - that of the plain mean. */
  readonly crowdEdge: Sums;
  /** The price's - that of even odds. */
  readonly coinEdge: Sums;
}

const NONE: Sums = { n: 0, sum: 0, squareSum: 0 };

export const NO_RECORD: RecordSums = {
  rounds: 0,
  brier: 0,
  expertBriers: EXPERTS.map(() => 0),
  coinBrier: 0,
  edge: NONE,
  crowdEdge: NONE,
  coinEdge: NONE,
};

interface ForecastBriers {
  readonly brier: number;
  readonly expertBriers: readonly number[];
  readonly choiceCount: number;
}

/** Added in the order of decisions, so that every process gets the same bits. */
export function recordWith(sums: RecordSums, { brier, expertBriers, choiceCount }: ForecastBriers): RecordSums {
  const [price = 0, mean = 0] = expertBriers;
  // Even odds, 1 / k for each of k answers.
  const coin = 1 - 1 / choiceCount;
  return {
    rounds: sums.rounds + 1,
    brier: sums.brier + brier,
    expertBriers: sums.expertBriers.map((sum, rank) => sum + (expertBriers[rank] ?? 0)),
    coinBrier: sums.coinBrier + coin,
    edge: withEdge(sums.edge, price - brier),
    crowdEdge: withEdge(sums.crowdEdge, price - mean),
    coinEdge: withEdge(sums.coinEdge, price - coin),
  };
}

function withEdge({ n, sum, squareSum }: Sums, edge: number): Sums {
  return { n: n + 1, sum: sum + edge, squareSum: squareSum + edge * edge };
}

/** The filter of rounds that selects a kind. */
export function roundsOfKind(kind: RecordKind) {
  if (kind === ALL_KINDS) return { questionType: null, asset: null };
  return isAsset(kind) ? { questionType: null, asset: null, subject: kind } : { questionType: [kind], asset: null };
}
