// Decimals as an oracle needs them: by itself, and not with the code that it judges.

interface Scaled {
  readonly units: bigint;
  readonly digits: number;
}

/** The exact product of two unsigned decimals, such as a price and `1.03`. */
export function times(left: string, right: string): string {
  const [a, b] = [scaled(left), scaled(right)];
  return written({ units: a.units * b.units, digits: a.digits + b.digits });
}

/** The exact mean of two unsigned decimals, without zeros at its end. */
export function meanOf(left: string, right: string): string {
  const [a, b] = [scaled(left), scaled(right)];
  const digits = Math.max(a.digits, b.digits);
  const sum = a.units * 10n ** BigInt(digits - a.digits) + b.units * 10n ** BigInt(digits - b.digits);
  return trimmed(written({ units: sum * 5n, digits: digits + 1 }));
}

export function trimmed(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function scaled(text: string): Scaled {
  const [whole = '', decimals = ''] = text.split('.');
  return { units: BigInt(whole + decimals), digits: decimals.length };
}

function written({ units, digits }: Scaled): string {
  const text = units.toString().padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
