import { fraction, type Fraction, square, subtract } from './fraction.ts';
import { type Interval, INTERVAL_MIN_ROUNDS } from './statistics/means.ts';
import { normalCdf } from './statistics/special-functions.ts';

/** (c - o)^2 of one prediction, with c = confidence / 100 and o = 1 if it was correct, else 0. */
export function brierTerm(confidence: number, correct: boolean): Fraction {
  return square(subtract(fraction(confidence, 100), outcomeIndicator(correct)));
}

/** The Brier term of a guess with no knowledge: 1 / k on the pick among k answers. */
export function referenceBrierTerm(choiceCount: number, correct: boolean): Fraction {
  return square(subtract(fraction(1, choiceCount), outcomeIndicator(correct)));
}

function outcomeIndicator(correct: boolean): Fraction {
  return fraction(correct ? 1 : 0);
}

/** Scored predictions that calibration cannot tell apart; `choiceCount` is the number of their rounds' answers. */
export interface ScoredCount extends JudgedCount {
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
  readonly test: CalibrationTest | null;
  readonly bins: readonly ReliabilityBin[];
}

const SKILL_MIN_ROUNDS = 20;

const CLIP = { min: 0.01, max: 0.99 } as const;

/** 0-9, 10-19, ... 80-89, 90-100: the last one takes full confidence in. */
const RELIABILITY_BINS = Array.from({ length: 10 }, (_, tenth) => ({
  from: 10 * tenth,
  to: tenth === 9 ? 100 : 10 * tenth + 9,
}));

/** The figures of predictions that come counted: each kind may stand in one entry or in several, in any order. */
export function calibrationOf(counts: readonly ScoredCount[]): Calibration {
  const referenceSum = sumOf(counts, ({ choiceCount, correct }) => (1 / choiceCount - indicator(correct)) ** 2);
  return calibrationWith(counts, referenceSum);
}

/** The same of predictions of whose rounds' answers nothing is known but what the reference terms come to. */
export function calibrationWith(given: readonly JudgedCount[], referenceSum: number): Calibration {
  const counts = kindsInOrder(given);
  const n = totalOf(counts);
  const brierSum = sumOf(counts, ({ confidence, correct }) => (confidence - 100 * indicator(correct)) ** 2) / 10_000;
  const bins = RELIABILITY_BINS.map(({ from, to }) => binOf(from, to, counts));
  return {
    n,
    ...brierFigures(n, brierSum, referenceSum),
    logLoss: meanOf(counts, logLossOf),
    expectedCalibrationError: calibrationError(bins, n),
    test: calibrationTest(counts),
    bins,
  };
}

/** One entry for each kind, ascending: the last digit of a sum of floats depends on their order, which may be any plan's. */
function kindsInOrder(counts: readonly JudgedCount[]): readonly JudgedCount[] {
  const byKind = Map.groupBy(counts, ({ confidence, correct }) => 2 * confidence + indicator(correct));
  return [...byKind]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([, [first, ...others]]) => (first === undefined ? [] : [{ ...first, n: first.n + totalOf(others) }]));
}

/**
 * What the sums of `n` predictions come to: the one place that divides, so that every list has the same last digit.
 * Sums of confidences in percent are whole numbers, and so are those of references in 64ths (2, 4 and 8 choices):
 * floats hold both exactly, as the stored decimals do.
 */
export function brierFigures(
  n: number,
  brierSum: number,
  referenceSum: number,
): Pick<Calibration, 'brier' | 'referenceBrier' | 'skill'> {
  const brier = n === 0 ? null : brierSum / n;
  const referenceBrier = n === 0 ? null : referenceSum / n;
  return { brier, referenceBrier, skill: skillOf(n, brier, referenceBrier) };
}

/** 1 - Brier / reference of `n` predictions; null below `SKILL_MIN_ROUNDS`, where it would be noise. */
export function skillOf(n: number, brier: number | null, referenceBrier: number | null): number | null {
  return n < SKILL_MIN_ROUNDS || brier === null || referenceBrier === null ? null : 1 - brier / referenceBrier;
}

function binOf(from: number, to: number, counts: readonly JudgedCount[]): ReliabilityBin {
  const inside = counts.filter(({ confidence }) => confidence >= from && confidence <= to);
  const n = totalOf(inside);
  return {
    from,
    to,
    n,
    meanConfidence: meanOf(inside, ({ confidence }) => confidence / 100),
    hitRate: meanOf(inside, ({ correct }) => indicator(correct)),
    hitRateInterval: wilson95(totalOf(inside.filter(({ correct }) => correct)), n),
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

function logLossOf({ confidence, correct }: JudgedCount): number {
  const clipped = Math.min(CLIP.max, Math.max(CLIP.min, confidence / 100));
  return -Math.log(correct ? clipped : 1 - clipped);
}

function totalOf(counts: readonly JudgedCount[]): number {
  return counts.reduce((total, { n }) => total + n, 0);
}

/** The mean over predictions; null when there are none. */
function meanOf(counts: readonly JudgedCount[], figure: (count: JudgedCount) => number): number | null {
  const n = totalOf(counts);
  return n === 0 ? null : sumOf(counts, figure) / n;
}

function sumOf<Count extends JudgedCount>(counts: readonly Count[], figure: (count: Count) => number): number {
  return counts.reduce((total, count) => total + count.n * figure(count), 0);
}

function indicator(correct: boolean): number {
  return correct ? 1 : 0;
}

/** The standard normal's 97.5 % point. */
const Z95 = 1.959963984540054;

/** Wilson's 95 % interval of a rate of which `hits` in `n` were seen; null when n is 0. Contains hits / n. */
export function wilson95(hits: number, n: number): Interval | null {
  if (n === 0) return null;
  const rate = hits / n;
  const weight = Z95 ** 2 / n;
  const centre = (rate + weight / 2) / (1 + weight);
  const reach = (Z95 * Math.sqrt((rate * (1 - rate) + weight / 4) / n)) / (1 + weight);
  // At 0 and n hits the bound is the rate itself, which the last bits of a float can miss.
  return { low: Math.max(0, Math.min(rate, centre - reach)), high: Math.min(1, Math.max(rate, centre + reach)) };
}

/** `n` predictions of one confidence (percent, 0-100), all right or all wrong. */
interface JudgedCount {
  readonly confidence: number;
  readonly correct: boolean;
  readonly n: number;
}

/** Whether confidences are what they say, of a record as a whole. */
export interface CalibrationTest {
  /** About standard normal for who is calibrated; above 0 for who is too sure. */
  readonly z: number;
  /** The chance of a z as far from 0, or farther, of who is calibrated. */
  readonly p: number;
}

/**
 * Spiegelhalter's test (Probabilistic Prediction in Patient Management, 1986): with c = confidence / 100 and o = 1 if
 * correct, Z = sum (o - c)(1 - 2c) / sqrt(sum (1 - 2c)^2 c (1 - c)). Null below `INTERVAL_MIN_ROUNDS` predictions, and
 * where every confidence is 0, 50 or 100: what is sure or even has no spread that it could be held against.
 */
export function calibrationTest(counts: readonly JudgedCount[]): CalibrationTest | null {
  let [n, excess, variance] = [0, 0, 0];
  for (const { n: times, confidence, correct } of counts) {
    const c = confidence / 100;
    const tilt = 1 - 2 * c;
    n += times;
    excess += times * ((correct ? 1 : 0) - c) * tilt;
    variance += times * tilt * tilt * c * (1 - c);
  }
  if (n < INTERVAL_MIN_ROUNDS || variance <= 0) return null;
  const z = excess / Math.sqrt(variance);
  return { z, p: 2 * normalCdf(-Math.abs(z)) };
}
