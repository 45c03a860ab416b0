import { ASSETS, byAsset, type Asset, type ByAsset } from '../../../rules/assets.ts';
import { MINUTE, SECOND } from '../../../rules/hours.ts';
import {
  askedTooOften,
  candleOf,
  listOf,
  otherForm,
  recordOf,
  STEP_MS,
  textOf,
  timeOf,
  type ExchangeApi,
} from './exchange.ts';

const SYMBOLS: ByAsset<string> = { ...byAsset((asset) => `${asset}USD`), BTC: 'XBTUSD', DOGE: 'XDGUSD' };

/** Result keys of the older assets differ from the requested symbols. */
const RESULT_KEYS: ByAsset<readonly string[]> = {
  ...byAsset((asset) => [SYMBOLS[asset]]),
  BTC: ['XXBTZUSD', 'XBTUSD'],
  ETH: ['XETHZUSD', 'ETHUSD'],
  DOGE: ['XDGUSD', 'DOGEUSD'],
};

const COLUMNS = { start: 0, open: 1, high: 2, low: 3, close: 4, volume: 6 } as const;

/** Documented errors that ask for fewer requests; more text may follow. */
const TOO_OFTEN = /^E(?:API:Rate limit exceeded|General:Too many requests|General:Temporary lockout|Service:Throttled)/;

/** Candles are `[time, open, high, low, close, vwap, volume, count]`; the newest is last and still open, `last` the newest final one. */
export const kraken: ExchangeApi = {
  name: 'kraken',
  url: 'https://api.kraken.com',
  symbols: SYMBOLS,
  candlesPath: ({ asset, step, from }) => {
    // The documentation leaves open whether `since` is inclusive, so the request begins a second earlier.
    const since = String(from.getTime() / SECOND - 1);
    const query = new URLSearchParams({ pair: SYMBOLS[asset], interval: String(STEP_MS[step] / MINUTE), since });
    return `/0/public/OHLC?${query.toString()}`;
  },
  candlesOf: (body, { asset }) => {
    const result = resultOf(body);
    return {
      candles: listOf(partOf(result, asset)).map((row) => candleOf(row, COLUMNS)),
      finalTo: timeOf(result['last']),
    };
  },
  priceRequests: [
    {
      path: `/0/public/Ticker?pair=${ASSETS.map((asset) => SYMBOLS[asset]).join(',')}`,
      read: (body) => {
        const result = resultOf(body);
        return byAsset((asset) => textOf(listOf(recordOf(partOf(result, asset))['c'])[0]));
      },
    },
  ],
};

function resultOf(body: unknown): Readonly<Record<string, unknown>> {
  const { error, result } = recordOf(body);
  const errors = listOf(error)
    .map(textOf)
    .filter((one) => !one.startsWith('W'));
  if (errors.some((one) => TOO_OFTEN.test(one))) throw askedTooOften();
  if (errors.length > 0) throw otherForm();
  return recordOf(result);
}

function partOf(result: Readonly<Record<string, unknown>>, asset: Asset): unknown {
  const key = RESULT_KEYS[asset].find((name) => Object.hasOwn(result, name));
  if (key === undefined) throw otherForm();
  return result[key];
}
