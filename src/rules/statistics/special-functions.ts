/*
 * ln and exp from sums, products and quotients alone. ECMAScript leaves the last bits of Math.log and Math.exp to the
 * engine, but fixes those of + - * / (IEEE 754). So results made of these and of Math.sqrt (correctly rounded in V8)
 * have the same bits on every machine.
 */

const LN2_HIGH = 0.6931471803691238;
/** The rest of ln 2: together more than 53 bits. */
const LN2_LOW = 1.9082149292705877e-10;

/** Within 2 units of the last place near 1; throws RangeError unless finite and above 0. */
export function ln(value: number): number {
  if (!(value > 0 && value < Infinity)) throw new RangeError(`ln needs a finite number above 0 (got ${value})`);
  let exponent = 0;
  let mantissa = value;
  for (; mantissa > Math.SQRT2; exponent += 1) mantissa /= 2;
  for (; mantissa < Math.SQRT1_2; exponent -= 1) mantissa *= 2;
  // ln m = 2 artanh((m - 1) / (m + 1)), with an argument of at most 0.172.
  const argument = (mantissa - 1) / (mantissa + 1);
  const square = argument * argument;
  let series = 0;
  for (let odd = 23; odd >= 1; odd -= 2) series = series * square + 1 / odd;
  return exponent * LN2_HIGH + (2 * argument * series + exponent * LN2_LOW);
}

/** 0 and Infinity beyond the range of a double. */
export function exp(value: number): number {
  if (value < -745) return 0;
  if (value > 709.7) return Infinity;
  const twos = Math.round(value / (LN2_HIGH + LN2_LOW));
  const rest = value - twos * LN2_HIGH - twos * LN2_LOW;
  let series = 1;
  for (let term = 16; term >= 1; term -= 1) series = 1 + (series * rest) / term;
  for (let left = twos; left > 0; left -= 1) series *= 2;
  for (let left = twos; left < 0; left += 1) series /= 2;
  return series;
}

const ROOT_TWO_PI = 2.5066282746310002;
/** Beyond this the tail's continued fraction is as good as the series and keeps its relative precision. */
const TAIL_FROM = 3.5;
const TAIL_LEVELS = 60;

function normalDensity(z: number): number {
  return exp((-z * z) / 2) / ROOT_TWO_PI;
}

/** Marsaglia (Evaluating the Normal Distribution, 2004), Laplace's fraction in the tails. Within 1e-15. Throws for NaN. */
export function normalCdf(z: number): number {
  // The series of NaN would never end.
  if (Number.isNaN(z)) throw new RangeError('z must be a number (got NaN)');
  if (z > TAIL_FROM) return 1 - upperTail(z);
  if (z < -TAIL_FROM) return upperTail(-z);
  let term = z;
  let sum = z;
  for (let odd = 3, before = 0; sum !== before; odd += 2) {
    before = sum;
    term *= (z * z) / odd;
    sum += term;
  }
  return 0.5 + sum * normalDensity(z);
}

function upperTail(z: number): number {
  let fraction = z;
  for (let level = TAIL_LEVELS; level >= 1; level -= 1) fraction = z + level / fraction;
  return normalDensity(z) / fraction;
}

/** The standard normal's 97.5 % point. */
export const Z975 = 1.959963984540054;

/** The series below is within 1e-6 of the quantile from here on. */
export const STUDENT_MIN_FREEDOM = 19;

/** Student's t at 97.5 %: Cornish-Fisher up to v^-4 (Abramowitz and Stegun 26.7.5). Throws below the minimum. */
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

/** P(T <= t) through an equivalent normal (Hill, Algorithm 395, 1970): within 1e-6 from 19 degrees of freedom on. */
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

/** Numbers in [0, 1) by mulberry32 (Tommy Ettinger): 32 bits of state, integer arithmetic only. Not for secrets. */
export function uniforms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
