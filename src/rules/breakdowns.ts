/** What predictions are broken down by. */
export const DIMENSIONS = ['QUESTION_TYPE', 'ASSET', 'HOUR_OF_DAY', 'WEEKDAY', 'LEAD_TIME', 'ANSWER'] as const;

export type Dimension = (typeof DIMENSIONS)[number];

/** At the most so many dimensions at once. */
export const MAX_DIMENSIONS = 2;

/**
 * Lead times by the least of their minutes: how long before the end of its hour a prediction was made. A bucket reaches to
 * the next one, which it leaves out; the first to the beginning of the hour.
 */
export const LEAD_BUCKETS = [
  { name: '45-60', fromMinutes: 45 },
  { name: '30-45', fromMinutes: 30 },
  { name: '15-30', fromMinutes: 15 },
  { name: '5-15', fromMinutes: 5 },
  { name: '0-5', fromMinutes: 0 },
] as const;

/** Sums over some scored predictions, of which every figure of a breakdown is made. */
export interface BreakdownSums {
  readonly n: number;
  readonly hits: number;
  /** Of confidences as fractions. */
  readonly confidence: MeanSums;
  readonly brier: MeanSums;
  readonly referenceSum: number;
  /** Of squares of reference - Brier, one prediction at a time. */
  readonly gainSquares: number;
  /** Of those predictions that have one. */
  readonly edge: MeanSums & { readonly n: number };
  readonly pnlUsd: MeanSums;
}

interface MeanSums {
  readonly sum: number;
  readonly squares: number;
}
