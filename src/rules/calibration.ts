import { clipped } from './bounds.ts';
import { type Interval, INTERVAL_MIN_ROUNDS } from './statistics/means.ts';
import { normalCdf, Z975 } from './statistics/special-functions.ts';

export interface ScoredCount extends ConfidenceCount {
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

/** Figures from 0 to 1, except skill and log loss; null without data. */
export interface Calibration {
  readonly n: number;
  readonly brier: number | null;
  readonly referenceBrier: number | null;
  /** 1 - Brier / reference; null below `SKILL_MIN_ROUNDS`, where it would be noise. */
  readonly skill: number | null;
  /** Mean of -ln of the probability given to what happened, confidence clipped to [0.01, 0.99]. */
  readonly logLoss: number | null;
  /** Mean distance of hit rate from mean confidence over the bins, weighted by their n. */
  readonly expectedCalibrationError: number | null;
  readonly test: CalibrationTest | null;
  readonly bins: readonly ReliabilityBin[];
}

const SKILL_MIN_ROUNDS = 20;

const RELIABILITY_BINS = Array.from({ length: 10 }, (_, tenth) => ({
  from: 10 * tenth,
  to: tenth === 9 ? 100 : 10 * tenth + 9,
}));

type CalibrationSums = Readonly<Record<'n' | TermName, number>>;

/**
 * Terms of one prediction: `brier` and `excess`, (o - c)(1 - 2c), in ten-thousandths, and `variance`,
 * (1 - 2c)^2 c (1 - c), in their squares. All but `confidence` and `logLoss` are whole, so that their sums are exact.
 */
export const TERM_NAMES = ['hits', 'confidence', 'brier', 'logLoss', 'excess', 'variance'] as const;

type TermName = (typeof TERM_NAMES)[number];

/** A confidence that was right or wrong, ascending. Sums add `n` times each term in this order: it decides a float's last digit. */
export const CASES = Array.from({ length: 202 }, (_, index) => {
  const [confidence, correct] = [Math.floor(index / 2), index % 2 === 1];
  return { confidence, correct, bin: binHolding(confidence), terms: termsOf(confidence, correct) };
});

function binHolding(confidence: number): number {
  return RELIABILITY_BINS.findIndex(({ to }) => confidence <= to);
}

function termsOf(confidence: number, correct: boolean): Readonly<Record<TermName, number>> {
  const miss = (correct ? 100 : 0) - confidence;
  const tilt = 100 - 2 * confidence;
  const probability = clipped(confidence / 100);
  return {
    hits: correct ? 1 : 0,
    confidence: confidence / 100,
    brier: miss ** 2,
    logLoss: -Math.log(correct ? probability : 1 - probability),
    excess: miss * tilt,
    variance: tilt ** 2 * confidence * (100 - confidence),
  };
}

export function calibrationOf(counts: readonly ScoredCount[]): Calibration {
  const referenceSum = counts.reduce(
    (sum, { n, choiceCount, correct }) => sum + n * (1 / choiceCount - (correct ? 1 : 0)) ** 2,
    0,
  );
  const bins = RELIABILITY_BINS.map((_, bin) => sumsOf(counts.filter((one) => binHolding(one.confidence) === bin)));
  return calibrationFrom({ total: sumsOf(counts), binAt: (bin) => bins[bin], referenceSum });
}

export function sumsOf(counts: readonly ConfidenceCount[]): CalibrationSums {
  const byCase = Map.groupBy(counts, ({ confidence, correct }) => 2 * confidence + (correct ? 1 : 0));
  const sums = { ...NO_SUMS };
  for (const [place, { terms }] of CASES.entries()) {
    const n = byCase.get(place)?.reduce((total, one) => total + one.n, 0) ?? 0;
    sums.n += n;
    for (const name of TERM_NAMES) sums[name] += n * terms[name];
  }
  return sums;
}

export const NO_SUMS: CalibrationSums = { n: 0, hits: 0, confidence: 0, brier: 0, logLoss: 0, excess: 0, variance: 0 };

interface CalibrationParts {
  readonly total: CalibrationSums;
  readonly binAt: (index: number) => CalibrationSums | undefined;
  readonly referenceSum: number;
}

export function calibrationFrom({ total, binAt, referenceSum }: CalibrationParts): Calibration {
  const { n } = total;
  const bins = RELIABILITY_BINS.map((bin, index) => ({ ...bin, ...reliabilityOf(binAt(index) ?? NO_SUMS) }));
  return {
    n,
    ...brierFigures(n, total.brier / 10_000, referenceSum),
    logLoss: n === 0 ? null : total.logLoss / n,
    expectedCalibrationError: calibrationError(bins, n),
    test: calibrationTest(total),
    bins,
  };
}

/** The one place that divides, so that every list has the same last digit. The sums are exact. */
export function brierFigures(
  n: number,
  brierSum: number,
  referenceSum: number,
): Pick<Calibration, 'brier' | 'referenceBrier' | 'skill'> {
  if (n === 0) return { brier: null, referenceBrier: null, skill: null };
  const [brier, referenceBrier] = [brierSum / n, referenceSum / n];
  return { brier, referenceBrier, skill: n < SKILL_MIN_ROUNDS ? null : 1 - brier / referenceBrier };
}

function reliabilityOf({ n, hits, confidence }: CalibrationSums): Omit<ReliabilityBin, 'from' | 'to'> {
  const meanOf = (sum: number): number | null => (n === 0 ? null : sum / n);
  return { n, meanConfidence: meanOf(confidence), hitRate: meanOf(hits), hitRateInterval: wilson95(hits, n) };
}

function calibrationError(bins: readonly ReliabilityBin[], n: number): number | null {
  if (n === 0) return null;
  let error = 0;
  for (const { n: count, hitRate, meanConfidence } of bins) {
    if (hitRate !== null && meanConfidence !== null) error += (count / n) * Math.abs(hitRate - meanConfidence);
  }
  return error;
}

/** Wilson's 95 % interval of the rate `hits` / `n`, which it contains; null when n is 0. */
export function wilson95(hits: number, n: number): Interval | null {
  if (n === 0) return null;
  const rate = hits / n;
  const weight = Z975 ** 2 / n;
  const centre = (rate + weight / 2) / (1 + weight);
  const reach = (Z975 * Math.sqrt((rate * (1 - rate) + weight / 4) / n)) / (1 + weight);
  // At 0 and n hits the bound is the rate itself, which the last bits of a float can miss.
  return { low: Math.max(0, Math.min(rate, centre - reach)), high: Math.min(1, Math.max(rate, centre + reach)) };
}

/** `n` predictions of one confidence (percent, 0-100), all right or all wrong. */
interface ConfidenceCount {
  readonly confidence: number;
  readonly correct: boolean;
  readonly n: number;
}

export interface CalibrationTest {
  /** About standard normal if calibrated; above 0 if overconfident. */
  readonly z: number;
  /** Two-sided p-value of `z`. */
  readonly p: number;
}

/**
 * Spiegelhalter's test (Probabilistic Prediction in Patient Management, 1986). With c = confidence / 100 and o = 1 if
 * correct, Z = sum (o - c)(1 - 2c) / sqrt(sum (1 - 2c)^2 c (1 - c)). Null below `INTERVAL_MIN_ROUNDS` predictions, and
 * where every confidence is 0, 50 or 100: the variance is 0.
 */
export function calibrationTest({ n, excess, variance }: CalibrationSums): CalibrationTest | null {
  if (n < INTERVAL_MIN_ROUNDS || variance <= 0) return null;
  const z = excess / Math.sqrt(variance);
  return { z, p: 2 * normalCdf(-Math.abs(z)) };
}
