import { ln } from './elementary.ts';
import { normalCdf } from './normal.ts';

/** The standard normal's 97.5 % point. */
const Z975 = 1.959963984540054;

/** From as many degrees of freedom on the series below is within 1e-6 of the quantile. */
export const STUDENT_MIN_FREEDOM = 19;

/**
 * Student's t at 97.5 % by the Cornish-Fisher series in 1 / v up to v^-4 (Abramowitz and Stegun 26.7.5). Throws below
 * `STUDENT_MIN_FREEDOM` degrees of freedom, where the series is not good enough.
 */
export function student975(freedom: number): number {
  if (!(freedom >= STUDENT_MIN_FREEDOM)) {
    throw new RangeError(`the degrees of freedom must be at least ${STUDENT_MIN_FREEDOM} (got ${freedom})`);
  }
  const z = Z975;
  const square = z * z;
  const terms = [
    (z * (square + 1)) / 4,
    (z * ((5 * square + 16) * square + 3)) / 96,
    (z * (((3 * square + 19) * square + 17) * square - 15)) / 384,
    (z * ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945)) / 92_160,
  ];
  return terms.reduceRight((sum, term) => (sum + term) / freedom, 0) + z;
}

/**
 * P(T <= t) of Student's t with v degrees of freedom, as that of the normal it is turned into (Hill, Algorithm 395,
 * 1970): within 1e-6 from 19 degrees of freedom on.
 */
export function studentCdf(t: number, freedom: number): number {
  const a = freedom - 0.5;
  const b = 48 * a * a;
  const square = a * ln(1 + (t * t) / freedom);
  const z = Math.sqrt(square);
  const first = (z * (square + 3)) / b;
  const second =
    (z * (((4 * square + 33) * square + 240) * square + 855)) / (10 * b * (b + 0.8 * square * square + 100));
  return normalCdf(Math.sign(t) * (z + first - second));
}
