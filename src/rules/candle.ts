import { divide, fraction, multiply, parseDecimal, roundHalfAway, subtract, type Fraction } from './fraction.ts';

/** USD prices of one asset over one hour, as exact decimal strings such as `"28477.73"` (no exponent). */
export interface Candle {
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
}

export const CANDLE_PRICES = ['open', 'high', 'low', 'close'] as const;

type CandlePrice = (typeof CANDLE_PRICES)[number];

/** Signed distance of a price from the open, as a fraction of the open: 0.01 is 1 % above it. */
export function moveTo(price: CandlePrice, candle: Candle): Fraction {
  const open = parseDecimal(candle.open);
  return divide(subtract(parseDecimal(candle[price]), open), open);
}

/** close / open - 1, exactly. Never compare anything but this. */
export function returnOf(candle: Candle): Fraction {
  return moveTo('close', candle);
}

export function rangeOf(candle: Candle): Fraction {
  return subtract(moveTo('high', candle), moveTo('low', candle));
}

/** In percent with four decimals, half away from zero; for display only. */
export function returnPct(candle: Candle): string {
  return roundHalfAway(multiply(returnOf(candle), fraction(100n)), 4);
}
