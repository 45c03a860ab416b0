/*
 * ln and exp of sums, products and quotients alone. ECMAScript leaves the last bits of Math.log and Math.exp to the
 * engine, and fixes those of + - * / on doubles (IEEE 754), which no engine fuses or reorders. So whatever is made of
 * these two, and of Math.sqrt (the processor's own, correctly rounded in V8), has the same bits on every machine.
 */

const LN2_HIGH = 0.6931471803691238;
/** The rest of ln 2: together they hold it to more than 53 bits. */
const LN2_LOW = 1.9082149292705877e-10;

/** The natural logarithm, within 2 units of the last place near 1; throws on what is no finite number above 0. */
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

/** e to the power of `value`; 0 and Infinity beyond what a double holds. */
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
