import { wilson95, type Interval } from './wilson.ts';

/** A scored prediction as calibration sees it; `choiceCount` is the number of its round's answers. */
export interface ScoredPrediction {
  readonly confidence: number;
  readonly correct: boolean;
  readonly choiceCount: number;
}

/** One tenth of the scale of confidence: `from` to `to`, both included. Rates are from 0 to 1, null when empty. */
export interface ReliabilityBin {
  readonly from: number;
  readonly to: number;
  readonly n: number;
  readonly meanConfidence: number | null;
  readonly hitRate: number | null;
  readonly hitRateInterval: Interval | null;
}

/** Figures for display, from 0 to 1 but skill and log loss; null where there is nothing to work them out from. */
export interface Calibration {
  readonly n: number;
  readonly brier: number | null;
  readonly referenceBrier: number | null;
  /** 1 - Brier / reference; null below `SKILL_MIN_ROUNDS` predictions, where it would be noise. */
  readonly skill: number | null;
  /** Mean of -ln of the probability given to what happened, confidence clipped to [0.01, 0.99]. */
  readonly logLoss: number | null;
  /** Mean distance of hit rate from mean confidence over the bins, weighted by their n. */
  readonly expectedCalibrationError: number | null;
  readonly bins: readonly ReliabilityBin[];
}

export const SKILL_MIN_ROUNDS = 20;

const CLIP = { min: 0.01, max: 0.99 } as const;

/** 0-9, 10-19, ... 80-89, 90-100: the last one takes full confidence in. */
export const RELIABILITY_BINS = Array.from({ length: 10 }, (_, tenth) => ({
  from: 10 * tenth,
  to: tenth === 9 ? 100 : 10 * tenth + 9,
}));

export function calibrationOf(predictions: readonly ScoredPrediction[]): Calibration {
  const n = predictions.length;
  const brier = meanOf(predictions, ({ confidence, correct }) => (confidence / 100 - indicator(correct)) ** 2);
  const referenceBrier = meanOf(predictions, ({ choiceCount, correct }) => (1 / choiceCount - indicator(correct)) ** 2);
  const bins = RELIABILITY_BINS.map(({ from, to }) => binOf(from, to, predictions));
  const known = brier !== null && referenceBrier !== null && n >= SKILL_MIN_ROUNDS;
  return {
    n,
    brier,
    referenceBrier,
    skill: known ? 1 - brier / referenceBrier : null,
    logLoss: meanOf(predictions, logLossOf),
    expectedCalibrationError: calibrationError(bins, n),
    bins,
  };
}

function binOf(from: number, to: number, predictions: readonly ScoredPrediction[]): ReliabilityBin {
  const inside = predictions.filter(({ confidence }) => confidence >= from && confidence <= to);
  const hits = inside.filter(({ correct }) => correct).length;
  return {
    from,
    to,
    n: inside.length,
    meanConfidence: meanOf(inside, ({ confidence }) => confidence / 100),
    hitRate: meanOf(inside, ({ correct }) => indicator(correct)),
    hitRateInterval: wilson95(hits, inside.length),
  };
}

function calibrationError(bins: readonly ReliabilityBin[], n: number): number | null {
  if (n === 0) return null;
  let error = 0;
  for (const { n: count, hitRate, meanConfidence } of bins) {
    if (hitRate !== null && meanConfidence !== null) error += (count / n) * Math.abs(hitRate - meanConfidence);
  }
  return error;
}

function logLossOf({ confidence, correct }: ScoredPrediction): number {
  const clipped = Math.min(CLIP.max, Math.max(CLIP.min, confidence / 100));
  return -Math.log(correct ? clipped : 1 - clipped);
}

function meanOf<T>(values: readonly T[], figure: (value: T) => number): number | null {
  return values.length === 0 ? null : values.reduce((total, value) => total + figure(value), 0) / values.length;
}

function indicator(correct: boolean): number {
  return correct ? 1 : 0;
}
