/** `scaled('1.25', 4)` is 12500n: decimal text as an integer count of 10^-places. Refuses text with more places. */
export function scaled(text: string, places: number): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  const [, sign, whole, fraction = ''] = match ?? [];
  if (sign === undefined || whole === undefined || fraction.length > places) {
    throw new Error(`${text} is no decimal of at most ${places} places`);
  }
  const units = BigInt(whole + fraction.padEnd(places, '0'));
  return sign === '-' ? -units : units;
}

/** The quotient of two integers, rounded to an integer, halves away from zero. The divisor is positive. */
export function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  if (divisor <= 0n) throw new Error(`the divisor ${divisor} is not positive`);
  const magnitude = dividend < 0n ? -dividend : dividend;
  const rounded = (2n * magnitude + divisor) / (2n * divisor);
  return dividend < 0n ? -rounded : rounded;
}

/** 12500n at 4 places is the number that JSON reads from `1.2500`. */
export function asNumber(units: bigint, places: number): number {
  const negative = units < 0n;
  const digits = String(negative ? -units : units).padStart(places + 1, '0');
  const cut = digits.length - places;
  return Number(`${negative ? '-' : ''}${digits.slice(0, cut)}.${digits.slice(cut)}0`);
}
