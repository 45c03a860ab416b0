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

/** Bitcoin and Dogecoin have names of Kraken's own. */
const SYMBOLS: ByAsset<string> = { ...byAsset((asset) => `${asset}USD`), BTC: 'XBTUSD', DOGE: 'XDGUSD' };

/** The names under which answers hold an asset; the older assets' differ from those that are asked for. */
const RESULT_KEYS: ByAsset<readonly string[]> = {
  ...byAsset((asset) => [SYMBOLS[asset]]),
  BTC: ['XXBTZUSD', 'XBTUSD'],
  ETH: ['XETHZUSD', 'ETHUSD'],
  DOGE: ['XDGUSD', 'DOGEUSD'],
};

const COLUMNS = { start: 0, open: 1, high: 2, low: 3, close: 4, volume: 6 } as const;

/** Its errors, of those that its documentation names, that ask for fewer requests; more text may follow. */
const TOO_OFTEN = /^E(?:API:Rate limit exceeded|General:Too many requests|General:Temporary lockout|Service:Throttled)/;

/**
 * Kraken. Errors come inside HTTP 200. Candles are `[time, open, high, low, close, vwap, volume, count]`, the newest
 * last and still open; `last` is the newest final one. At most the last 720 can be had, whatever is asked for.
 */
export const kraken: ExchangeApi = {
  name: 'kraken',
  url: 'https://api.kraken.com',
  symbols: SYMBOLS,
  candlesPath: ({ asset, step, from }) => {
    // Whether the candle at `since` itself is given is not said, so a second before is asked for.
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
  // A warning, which begins with W, stands beside a result that is valid.
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
