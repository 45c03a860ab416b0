// Scaled integers rather than rules/fraction.ts: a day's quotes take in 11,520 candles every minute.

const PLAIN_DECIMAL = /^-?\d+(?:\.\d+)?$/;
const MAX_CHARACTERS = 40;

/** Positive when `a` is larger, negative when `b` is, 0 for equal numbers (`1.5` and `1.50`). */
export function compareDecimals(a: string, b: string): number {
  const difference = Number(a) - Number(b);
  // Rounding keeps the order, so only figures that round to the same double need the exact comparison.
  if (difference !== 0 || a === b) return difference;
  const left = scaled(a);
  const right = scaled(b);
  const digits = Math.max(left.digits, right.digits);
  return Number(unitsAt(left, digits) - unitsAt(right, digits));
}

export function largerDecimal(a: string, b: string): string {
  return compareDecimals(a, b) >= 0 ? a : b;
}

export function smallerDecimal(a: string, b: string): string {
  return compareDecimals(a, b) <= 0 ? a : b;
}

export function sumDecimals(terms: readonly string[]): string {
  const parts = terms.map(scaled);
  const digits = parts.reduce((most, part) => Math.max(most, part.digits), 0);
  const sum = parts.reduce((total, part) => total + unitsAt(part, digits), 0n);
  if (digits === 0) return sum.toString();
  const text = sum.toString().padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** `text` is an unsigned plain decimal, the only form that the readers of candles accept. */
function scaled(text: string) {
  const point = text.indexOf('.');
  if (point === -1) return { units: BigInt(text), digits: 0 };
  return { units: BigInt(text.slice(0, point) + text.slice(point + 1)), digits: text.length - point - 1 };
}

function unitsAt(value: ReturnType<typeof scaled>, digits: number): bigint {
  return value.digits === digits ? value.units : value.units * 10n ** BigInt(digits - value.digits);
}

export function isDecimal(text: string): boolean {
  return text.length <= MAX_CHARACTERS && PLAIN_DECIMAL.test(text);
}

export function isPrice(text: string): boolean {
  return isDecimal(text) && isPositive(text);
}

export function isPositive(text: string): boolean {
  return !text.startsWith('-') && !isZero(text);
}

export function isZero(text: string): boolean {
  return /^0+(?:\.0+)?$/.test(text);
}
