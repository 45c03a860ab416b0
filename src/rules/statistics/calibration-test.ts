import { INTERVAL_MIN_ROUNDS } from './mean-interval.ts';
import { normalCdf } from './normal.ts';

/** `n` predictions of one confidence (percent, 0-100), all right or all wrong. */
export interface JudgedCount {
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
