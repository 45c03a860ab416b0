/** An exact rational number in lowest terms; `den` is positive. */
export interface Fraction {
  readonly num: bigint;
  readonly den: bigint;
}

export function fraction(num: bigint | number, den: bigint | number = 1n): Fraction {
  const [top, bottom] = [BigInt(num), BigInt(den)];
  if (bottom === 0n) throw new RangeError(`The denominator of a fraction must not be zero (got ${top}/0)`);
  const divisor = greatestCommonDivisor(top, bottom) * (bottom < 0n ? -1n : 1n);
  return { num: top / divisor, den: bottom / divisor };
}

export const ZERO = fraction(0n);

const DECIMAL = /^(-|\+)?(\d+)(?:\.(\d+))?$/;

/** Reads an exact decimal: optional sign, digits, optional fraction, no exponent. Throws on anything else. */
export function parseDecimal(text: string): Fraction {
  const [, minus, whole, decimals = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) throw new RangeError(`${JSON.stringify(text)} is no decimal number such as "-28477.73"`);
  const size = BigInt(whole + decimals);
  return fraction(minus === '-' ? -size : size, 10n ** BigInt(decimals.length));
}

export function add(left: Fraction, right: Fraction): Fraction {
  return fraction(left.num * right.den + right.num * left.den, left.den * right.den);
}

export function subtract(left: Fraction, right: Fraction): Fraction {
  return fraction(left.num * right.den - right.num * left.den, left.den * right.den);
}

export function multiply(left: Fraction, right: Fraction): Fraction {
  return fraction(left.num * right.num, left.den * right.den);
}

export function divide(left: Fraction, right: Fraction): Fraction {
  return fraction(left.num * right.den, left.den * right.num);
}

export function square(value: Fraction): Fraction {
  return multiply(value, value);
}

export function absolute(value: Fraction): Fraction {
  return { num: magnitude(value.num), den: value.den };
}

export function sum(values: Iterable<Fraction>): Fraction {
  let total = ZERO;
  for (const value of values) total = add(total, value);
  return total;
}

export function compare(left: Fraction, right: Fraction): -1 | 0 | 1 {
  return signOf(left.num * right.den - right.num * left.den);
}

export function sign(value: Fraction): -1 | 0 | 1 {
  return signOf(value.num);
}

/** Text with exactly `digits` decimals, half away from zero. Zero has no sign. */
export function roundHalfAway(value: Fraction, digits: number): string {
  const scaled = 2n * magnitude(value.num) * 10n ** BigInt(digits);
  return decimalText((scaled + value.den) / (2n * value.den), digits, value.num < 0n);
}

/** The shortest decimal that equals the value. Throws where none is finite, such as for 1/3. */
export function toDecimal(value: Fraction): string {
  let digits = 0;
  while ((value.num * 10n ** BigInt(digits)) % value.den !== 0n) {
    // A denominator of b bits that is 2^i 5^j divides 10^b, so more digits never help.
    if (digits > value.den.toString(2).length) {
      throw new RangeError(`${value.num}/${value.den} is no finite decimal`);
    }
    digits += 1;
  }
  return roundHalfAway(value, digits);
}

function decimalText(units: bigint, digits: number, negative: boolean): string {
  const figures = units.toString().padStart(digits + 1, '0');
  const point = figures.length - digits;
  const text = digits === 0 ? figures : `${figures.slice(0, point)}.${figures.slice(point)}`;
  return negative && units > 0n ? `-${text}` : text;
}

function greatestCommonDivisor(left: bigint, right: bigint): bigint {
  let [larger, smaller] = [magnitude(left), magnitude(right)];
  while (smaller > 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function signOf(value: bigint): -1 | 0 | 1 {
  if (value === 0n) return 0;
  return value < 0n ? -1 : 1;
}
