import { ASSETS, byAsset } from '../../../rules/assets.ts';
import {
  candleOf,
  listOf,
  MAX_CANDLES,
  otherForm,
  recordOf,
  STEP_MS,
  textOf,
  timeOf,
  type ExchangeApi,
  type ShownCandle,
  type Step,
} from './exchange.ts';

const SYMBOLS = byAsset((asset) => `${asset}USDT`);

const COLUMNS = { start: 0, open: 1, high: 2, low: 3, close: 4, volume: 5 } as const;
const CLOSE_TIME = 6;

/** Candles are `[open time, open, high, low, close, volume, close time, ...]`, times in ms, the newest last and still open. */
export const binance: ExchangeApi = {
  name: 'binance',
  url: 'https://data-api.binance.vision',
  symbols: SYMBOLS,
  candlesPath: ({ asset, step, from, to }) => {
    const query = new URLSearchParams({
      symbol: SYMBOLS[asset],
      interval: step,
      startTime: String(from.getTime()),
      endTime: String(to.getTime() - 1),
      limit: String(MAX_CANDLES),
    });
    return `/api/v3/klines?${query.toString()}`;
  },
  candlesOf: (body, { step }) => ({ candles: listOf(body).map((row) => wholeCandle(row, step)), finalTo: Infinity }),
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

/** A candle of another length than the step gets no valid time. */
function wholeCandle(row: unknown, step: Step): ShownCandle {
  const candle = candleOf(row, COLUMNS, 1);
  const isWhole = timeOf(listOf(row)[CLOSE_TIME], 1) === candle.start + STEP_MS[step] - 1;
  return isWhole ? candle : { ...candle, start: Number.NaN };
}
