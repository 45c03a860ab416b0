import { ASSETS, byAsset } from '../../../rules/assets.ts';
import { SECOND } from '../../../rules/hours.ts';
import { candleOf, listOf, recordOf, STEP_MS, textOf, type ExchangeApi } from './exchange.ts';

const SYMBOLS = byAsset((asset) => `${asset}-USD`);

const COLUMNS = { start: 0, low: 1, high: 2, open: 3, close: 4, volume: 5 } as const;

/** Candles are `[time, low, high, open, close, volume]` in JSON numbers, the newest first; an interval without a trade has none. */
export const coinbase: ExchangeApi = {
  name: 'coinbase',
  url: 'https://api.exchange.coinbase.com',
  symbols: SYMBOLS,
  candlesPath: ({ asset, step, from, to }) => {
    const query = new URLSearchParams({
      granularity: String(STEP_MS[step] / SECOND),
      start: from.toISOString(),
      // Coinbase's end is inclusive.
      end: new Date(to.getTime() - STEP_MS[step]).toISOString(),
    });
    return `/products/${SYMBOLS[asset]}/candles?${query.toString()}`;
  },
  candlesOf: (body) => ({ candles: listOf(body).map((row) => candleOf(row, COLUMNS)), finalTo: Infinity }),
  priceRequests: ASSETS.map((asset) => ({
    path: `/products/${SYMBOLS[asset]}/ticker`,
    read: (body) => ({ [asset]: textOf(recordOf(body)['price']) }),
  })),
};
