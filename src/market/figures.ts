import { compareDecimals, largerDecimal, smallerDecimal } from './decimal-text.ts';
import type { ShownCandle } from './exchanges/exchange.ts';

const PLAIN_DECIMAL = /^-?\d+(?:\.\d+)?$/;
/** Far more than any exchange writes, and little enough to reckon with exactly. */
const MOST_CHARACTERS = 40;

const PRICES = ['open', 'high', 'low', 'close'] as const;

/** Whether `text` is a plain decimal above 0: no exponent, no sign. */
export function isPrice(text: string): boolean {
  return isDecimal(text) && isPositive(text);
}

/** One sentence that says what is impossible about the candle's figures; null when nothing is. Volume 0 is possible. */
export function figuresFault(candle: ShownCandle): string | null {
  const { open, high, low, close, volume } = candle;
  const unreadable = [...PRICES, 'volume' as const].find((name) => !isDecimal(candle[name]));
  if (unreadable !== undefined) return `Its ${unreadable} is no plain decimal number.`;
  const notPositive = PRICES.find((name) => !isPositive(candle[name]));
  if (notPositive !== undefined) return `Its ${notPositive} is not above 0.`;
  if (volume.startsWith('-')) return 'Its volume is below 0.';
  if (compareDecimals(high, largerDecimal(open, close)) < 0) return 'Its high is below another of its prices.';
  if (compareDecimals(low, smallerDecimal(open, close)) > 0) return 'Its low is above another of its prices.';
  return null;
}

export function isZero(text: string): boolean {
  return /^0+(?:\.0+)?$/.test(text);
}

/** Whether `text` is a plain decimal of any sign, without an exponent. */
export function isDecimal(text: string): boolean {
  return text.length <= MOST_CHARACTERS && PLAIN_DECIMAL.test(text);
}

function isPositive(text: string): boolean {
  return !text.startsWith('-') && !isZero(text);
}
