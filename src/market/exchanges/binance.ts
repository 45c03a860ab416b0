import { ASSETS, byAsset } from '../../rules/assets.ts';
import { MOST_CANDLES, STEP_MS, type Exchange, type ShownCandle, type Step } from './exchange.ts';
import { listOf, otherForm, recordOf, textOf, timeOf } from './reply-form.ts';

const SYMBOLS = byAsset((asset) => `${asset}USDT`);

/**
 * Binance spot, in USDT; the address is the one it names for market data alone. Candles are `[open time, open, high,
 * low, close, volume, close time, ...]`, times in ms, the newest last and still open.
 */
export const binance: Exchange = {
  name: 'binance',
  url: 'https://data-api.binance.vision',
  symbols: SYMBOLS,
  candlesPath: ({ asset, step, from, to }) => {
    const query = new URLSearchParams({
      symbol: SYMBOLS[asset],
      interval: step,
      startTime: String(from.getTime()),
      endTime: String(to.getTime() - 1),
      limit: String(MOST_CANDLES),
    });
    return `/api/v3/klines?${query.toString()}`;
  },
  candlesOf: (body, { step }) => ({ candles: listOf(body).map((row) => candleOf(row, step)), finalTo: Infinity }),
  priceRequests: [
    {
      path: `/api/v3/ticker/price?symbols=${encodeURIComponent(JSON.stringify(Object.values(SYMBOLS)))}`,
      read: (body) => {
        const prices = new Map(listOf(body).map((item) => [recordOf(item)['symbol'], recordOf(item)['price']]));
        if (!ASSETS.every((asset) => prices.has(SYMBOLS[asset]))) throw otherForm();
        return byAsset((asset) => textOf(prices.get(SYMBOLS[asset])));
      },
    },
  ],
};

function candleOf(row: unknown, step: Step): ShownCandle {
  const [time, open, high, low, close, volume, closeTime] = listOf(row);
  const start = timeOf(time, 1);
  return {
    start: timeOf(closeTime, 1) === start + STEP_MS[step] - 1 ? start : Number.NaN,
    open: textOf(open),
    high: textOf(high),
    low: textOf(low),
    close: textOf(close),
    volume: textOf(volume),
  };
}
