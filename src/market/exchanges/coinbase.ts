import { ASSETS, byAsset } from '../../rules/assets.ts';
import { SECOND } from '../../rules/hours.ts';
import { STEP_MS, type Exchange, type ShownCandle } from './exchange.ts';
import { listOf, recordOf, textOf, timeOf } from './reply-form.ts';

const SYMBOLS = byAsset((asset) => `${asset}-USD`);

/**
 * Coinbase Exchange. Candles are `[time, low, high, open, close, volume]` in JSON numbers, the newest first; an
 * interval without a trade has none.
 */
export const coinbase: Exchange = {
  name: 'coinbase',
  url: 'https://api.exchange.coinbase.com',
  symbols: SYMBOLS,
  candlesPath: ({ asset, step, from, to }) => {
    const query = new URLSearchParams({
      granularity: String(STEP_MS[step] / SECOND),
      start: from.toISOString(),
      // The end is taken in, so the last candle asked for opens one step before `to`.
      end: new Date(to.getTime() - STEP_MS[step]).toISOString(),
    });
    return `/products/${SYMBOLS[asset]}/candles?${query.toString()}`;
  },
  candlesOf: (body) => ({ candles: listOf(body).map(candleOf), finalTo: Infinity }),
  priceRequests: ASSETS.map((asset) => ({
    path: `/products/${SYMBOLS[asset]}/ticker`,
    read: (body) => ({ [asset]: textOf(recordOf(body)['price']) }),
  })),
};

function candleOf(row: unknown): ShownCandle {
  const [time, low, high, open, close, volume] = listOf(row);
  return {
    start: timeOf(time),
    open: textOf(open),
    high: textOf(high),
    low: textOf(low),
    close: textOf(close),
    volume: textOf(volume),
  };
}
