import { wilson95 } from './calibration.ts';
import { DomainError, refused } from './errors.ts';
import { DAY } from './hours.ts';
import { LEAD_BUCKETS } from './lead-buckets.ts';
import { INTERVAL_MIN_ROUNDS, meanInterval, skillInterval, type Sums } from './statistics/means.ts';
import { type Period, PERIODS, WINDOW_LENGTHS } from './windows.ts';

export const KEPT_DIMENSIONS = ['QUESTION_TYPE', 'ASSET', 'HOUR_OF_DAY', 'WEEKDAY', 'LEAD_TIME', 'ANSWER'] as const;

export const DIMENSIONS = [...KEPT_DIMENSIONS, 'AGENT', 'MODEL'] as const;

export type Dimension = (typeof DIMENSIONS)[number];

/** A breakdown of the field by AGENT has this many agents, the first on the window's board by points. */
export const BROKEN_DOWN_AGENTS = 20;

export const SHOWN_MODELS = 50;

export const DIMENSION_SIZES: Readonly<Record<Dimension, number>> = {
  QUESTION_TYPE: 13,
  ASSET: 8,
  HOUR_OF_DAY: 24,
  WEEKDAY: 7,
  LEAD_TIME: 5,
  ANSWER: 10,
  AGENT: BROKEN_DOWN_AGENTS,
  MODEL: SHOWN_MODELS,
};

const MAX_DIMENSIONS = 2;

/** Compares groups by the values of their dimensions: lead times longest first, all else as text. */
export function byValues(by: readonly Dimension[], one: readonly string[], other: readonly string[]): number {
  const at = by.findIndex((_dimension, index) => one[index] !== other[index]);
  const dimension = by[at];
  if (dimension === undefined) return 0;
  const [left = '', right = ''] = [one[at], other[at]];
  if (dimension === 'LEAD_TIME') return bucketIndex(left) - bucketIndex(right);
  return left < right ? -1 : 1;
}

function bucketIndex(bucket: string): number {
  return LEAD_BUCKETS.findIndex(({ name }) => name === bucket);
}

export function checkDimensions(by: readonly Dimension[]): void {
  if (by.length >= 1 && by.length <= MAX_DIMENSIONS && new Set(by).size === by.length) return;
  throw refused('by', 'one or two dimensions, each once', by);
}

/** Throws for unbounded windows: the agents' records are read, which grow with time. */
export function checkWindowOfAgents(window: Period | null): asserts window is Period {
  const bounded = PERIODS.filter((period) => WINDOW_LENGTHS[period] !== null);
  if (window === null || !bounded.includes(window))
    throw refused('window', `one of ${bounded.join(', ')} when all agents are grouped by AGENT`, window);
}

/** Models' sums are stored by window, not by day or by a second dimension. */
export function checkModelsAlone(by: readonly Dimension[], isByEnds: boolean): void {
  if (by.length > 1) throw refused('by', (nameOf) => `MODEL alone where ${nameOf('agentId')} is not given`, by);
  if (isByEnds)
    throw new DomainError(
      'bad_request',
      (nameOf) => `MODEL without ${nameOf('agentId')} must be given window, not from or to (got from or to).`,
    );
}

export function checkLeadTime(text: string): void {
  if (!LEAD_BUCKETS.some(({ name }) => name === text))
    throw refused('leadTime', `one of ${LEAD_BUCKETS.map(({ name }) => name).join(', ')}`, text);
}

export function checkDay(argument: string, time: Date): void {
  if (time.getTime() % DAY === 0) return;
  throw refused(argument, 'the beginning of a UTC day, such as 2026-11-20T00:00:00Z', time);
}

export function checkOneRange(hasWindow: boolean, hasEnds: boolean): void {
  if (hasWindow && hasEnds) {
    throw new DomainError('bad_request', 'Days must be given either by window, or by from and to (got both).');
  }
}

export interface BreakdownSums {
  readonly n: number;
  readonly hits: number;
  readonly confidence: Sums;
  readonly brier: Sums;
  /** Reference minus Brier, per prediction. */
  readonly gain: Sums;
  readonly referenceSum: number;
  /** Counts only predictions that have an edge. */
  readonly edge: Sums;
  readonly pnlUsd: Sums;
}

/** A mean with its 95 % interval, which is null for fewer than `INTERVAL_MIN_ROUNDS`. */
export interface Estimate {
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}

/** In the order of the answers' fields, in which they are compared as text. */
export function estimate(sums: Sums): Estimate | null {
  const { n, sum } = sums;
  return n === 0 ? null : (meanInterval(sums) ?? { mean: sum / n, ...NO_INTERVAL, n });
}

export function breakdownFigures(sums: BreakdownSums) {
  const { n, hits, referenceSum, gain } = sums;
  const referenceBrier = referenceSum / n;
  return {
    n,
    hitRate: { mean: hits / n, n, ...((n < INTERVAL_MIN_ROUNDS ? null : wilson95(hits, n)) ?? NO_INTERVAL) },
    meanConfidence: certain(sums.confidence),
    brier: certain(sums.brier),
    referenceBrier,
    skill: skillOf(gain, referenceSum),
    edge: estimate(sums.edge),
    pnlUsd: certain(sums.pnlUsd),
    pnlTotalUsd: Number(sums.pnlUsd.sum.toFixed(2)),
  };
}

const NO_INTERVAL = { low: null, high: null };

type BreakdownFigures = ReturnType<typeof breakdownFigures>;

/** Orders models by mean edge, best first. Models with too few edges follow, the most often named first. */
export function byModelEdge(one: BreakdownFigures, other: BreakdownFigures): number {
  const [left, right] = [one, other].map(({ edge }) =>
    edge !== null && edge.n >= INTERVAL_MIN_ROUNDS ? edge.mean : null,
  );
  if (left != null && right != null) return right - left || other.n - one.n;
  return Number(left == null) - Number(right == null) || other.n - one.n;
}

function certain(sums: Sums): Estimate {
  const found = estimate(sums);
  if (found === null) throw new RangeError('A group must hold at least one prediction (got none)');
  return found;
}

function skillOf(gain: Sums, referenceSum: number): Estimate | null {
  const interval = skillInterval(gain, referenceSum);
  return interval && { mean: gain.sum / referenceSum, n: gain.n, ...interval };
}
