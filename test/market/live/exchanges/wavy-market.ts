import type { SourceName } from '../../../../src/market/live/exchanges/exchange.ts';
import { meanOf, times, trimmed } from './exact.ts';
import { handMadeMarket, shownCandles, type PlayedMarket } from './played-market.ts';

const START = new Date('2026-03-01T00:00:00Z');
export const NOW = new Date('2026-03-02T12:03:20Z');
export const DECIDED_HOUR = new Date('2026-03-02T11:00:00Z');

/** Prices differ by exchange as they do: the medians of two and of three are other numbers than any one's. */
export const FACTORS: Readonly<Record<SourceName, string>> = { coinbase: '1', kraken: '1.001', binance: '1.002' };

/** An hour's prices differ from those of the next by more than 1 %, so that not even two sources would agree on them. */
export function wavyMarket(): PlayedMarket {
  return handMadeMarket({ start: START, candles: 62 * 12, now: NOW }, (place, asset) => {
    const price = 20_000 + 100 * place + 11 * (place % 7) + asset.length;
    return {
      open: `${price}.25`,
      high: `${price + 40}.5`,
      low: `${price - 35}.75`,
      close: `${price + 30}.125`,
      volume: `${(place % 5) + 1}.5`,
    };
  });
}

/** The median of what these exchanges show of the decided hour, when they are well. */
export function honestFigures(
  names: readonly SourceName[],
): Readonly<Record<'open' | 'high' | 'low' | 'close', string>> {
  const candle = shownCandles(wavyMarket(), 'BTC', 3_600_000).find(({ start }) => start === DECIDED_HOUR.getTime());
  if (candle === undefined) throw new Error('The market has the hour');
  const median = (figure: string): string => {
    const [first = '', second = '', third] = names.map((name) => times(figure, FACTORS[name]));
    return third === undefined ? meanOf(first, second) : trimmed(second);
  };
  return { open: median(candle.open), high: median(candle.high), low: median(candle.low), close: median(candle.close) };
}
