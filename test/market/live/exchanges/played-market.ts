import type { Asset } from '../../../../src/rules/assets.ts';

const FIVE_MINUTES = 5 * 60_000;

/** A candle as an exchange is to show it. */
export interface PlayedCandle {
  readonly start: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
}

/** What the played exchanges trade: 5-minute candles, and the time to which they have come. */
export interface PlayedMarket {
  now: Date;
  /** The hour that faults of one hour hit; unset: the last one that is over. */
  faultyHour?: Date | undefined;
  /** Ascending. */
  candles(asset: Asset): readonly PlayedCandle[];
}

/** A market in which each asset's candles follow from `figures` of the candle's number. */
export function handMadeMarket(
  span: { start: Date; candles: number; now: Date },
  figures: (place: number, asset: Asset) => Omit<PlayedCandle, 'start'>,
): PlayedMarket {
  const made = new Map<Asset, readonly PlayedCandle[]>();
  return {
    now: span.now,
    candles(asset) {
      const candles =
        made.get(asset) ??
        Array.from({ length: span.candles }, (_, place) => ({
          start: span.start.getTime() + place * FIVE_MINUTES,
          ...figures(place, asset),
        }));
      made.set(asset, candles);
      return candles;
    },
  };
}

/**
 * What an exchange shows at the market's time: the candles of `step` that have a trade, the last one still open. An open
 * 5-minute candle has shown its first price only.
 */
export function shownCandles(market: PlayedMarket, asset: Asset, step: number): PlayedCandle[] {
  const now = market.now.getTime();
  const known = market.candles(asset).filter((candle) => candle.start <= now);
  const seen = known.map((candle) => (candle.start + FIVE_MINUTES <= now ? candle : begun(candle)));
  const groups = Map.groupBy(seen, (candle) => Math.floor(candle.start / step) * step);
  return [...groups].map(([start, parts]) => ({ ...added(parts), start }));
}

function begun(candle: PlayedCandle): PlayedCandle {
  return { ...candle, high: candle.open, low: candle.open, close: candle.open, volume: '0.001' };
}

function added(parts: readonly PlayedCandle[]): PlayedCandle {
  const [first] = parts;
  const last = parts.at(-1);
  if (first === undefined || last === undefined) throw new Error('A candle has parts');
  const by = (one: PlayedCandle, other: PlayedCandle, name: 'high' | 'low', sign: number): PlayedCandle =>
    sign * (Number(one[name]) - Number(other[name])) >= 0 ? one : other;
  return {
    start: first.start,
    open: first.open,
    high: parts.reduce((one, other) => by(one, other, 'high', 1)).high,
    low: parts.reduce((one, other) => by(one, other, 'low', -1)).low,
    close: last.close,
    volume: exactSum(parts.map((part) => part.volume)),
  };
}

function exactSum(terms: readonly string[]): string {
  const digits = Math.max(...terms.map((term) => term.split('.')[1]?.length ?? 0));
  const units = terms.reduce((sum, term) => {
    const [whole = '', decimals = ''] = term.split('.');
    return sum + BigInt(whole + decimals.padEnd(digits, '0'));
  }, 0n);
  const text = units.toString().padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
