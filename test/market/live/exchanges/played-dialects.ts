import type { SourceName } from '../../../../src/market/live/exchanges/exchange.ts';
import { ASSETS, type Asset } from '../../../../src/rules/assets.ts';
import type { PlayedCandle } from './played-market.ts';

/** What a request to an exchange asks for. */
export type ExchangeRequest =
  | {
      readonly kind: 'candles';
      readonly asset: Asset;
      readonly step: number;
      readonly from: number;
      readonly to: number;
    }
  | { readonly kind: 'prices'; readonly assets: readonly Asset[] };

export interface Written {
  readonly step: number;
  /** How figures are written: as the exchange does, or the other way round (strings for numbers, numbers for strings). */
  readonly swapped: boolean;
}

/** How one exchange is spoken to, written down from its documentation and not from the code that speaks to it. */
export interface Dialect {
  /** Null for a path that the exchange does not have. */
  requestOf(url: URL): ExchangeRequest | null;
  candles(candles: readonly PlayedCandle[], written: Written, asset: Asset): string;
  prices(prices: readonly (readonly [Asset, string])[]): string;
  readonly unknownSymbol: { readonly status: number; readonly text: string };
  /** What it answers, with HTTP 200, while it is out of order. */
  readonly outOfOrder: string;
}

const KRAKEN_NAMES: Readonly<Record<string, Asset>> = { XBTUSD: 'BTC', XDGUSD: 'DOGE' };
const KRAKEN_KEYS: Readonly<Partial<Record<Asset, string>>> = { BTC: 'XXBTZUSD', ETH: 'XETHZUSD', DOGE: 'XDGUSD' };

export const DIALECTS: Readonly<Record<SourceName, Dialect>> = {
  coinbase: {
    requestOf({ pathname, searchParams }) {
      const [, symbol = '', what] = /^\/products\/([^/]+)\/(candles|ticker)$/.exec(pathname) ?? [];
      const asset = ASSETS.find((one) => `${one}-USD` === symbol);
      if (asset === undefined) return null;
      if (what === 'ticker') return { kind: 'prices', assets: [asset] };
      const [step, from, to] = [
        Number(searchParams.get('granularity')) * 1000,
        time(searchParams, 'start'),
        time(searchParams, 'end'),
      ];
      if ((to - from) / step > 300) throw new Error('Coinbase refuses more than 300 candles');
      return { kind: 'candles', asset, step, from, to: to + 1 };
    },
    candles: (candles, { swapped }) =>
      `[${candles
        .toReversed()
        .map(({ start, open, high, low, close, volume }) => {
          const figures = [low, high, open, close, volume].map((text) => (swapped ? JSON.stringify(text) : text));
          return `[${[start / 1000, ...figures].join(',')}]`;
        })
        .join(',')}]`,
    prices: ([[, price] = ['BTC', '']]) =>
      `{"ask":"1","bid":"1","volume":"1207.50668151","trade_id":18502105,"price":"${price}","size":"0.00730812","time":"2024-03-13T11:10:41.270099Z"}`,
    unknownSymbol: { status: 404, text: '{"message":"NotFound"}' },
    outOfOrder: '{"message":"Service is under maintenance"}',
  },
  kraken: {
    requestOf({ pathname, searchParams }) {
      const assets = (searchParams.get('pair') ?? '')
        .split(',')
        .map((name) => KRAKEN_NAMES[name] ?? name.replace(/USD$/, ''));
      const known = ASSETS.filter((asset) => assets.includes(asset));
      const [asset] = known;
      if (pathname === '/0/public/Ticker') return { kind: 'prices', assets: known };
      if (pathname !== '/0/public/OHLC' || asset === undefined) return null;
      const from = Number(searchParams.get('since')) * 1000;
      return {
        kind: 'candles',
        asset,
        step: Number(searchParams.get('interval')) * 60_000,
        from: from + 1,
        to: Infinity,
      };
    },
    candles(candles, { swapped }, asset) {
      const rows = candles.map(({ start, open, high, low, close, volume }) => {
        const figures = [open, high, low, close, open, volume].map((text) => (swapped ? text : JSON.stringify(text)));
        return `[${[start / 1000, ...figures, 7].join(',')}]`;
      });
      const last = candles.at(-2)?.start ?? 0;
      return `{"error":[],"result":{"${krakenKey(asset)}":[${rows.join(',')}],"last":${last / 1000}}}`;
    },
    prices: (prices) =>
      `{"error":[],"result":{${prices
        .map(([asset, price]) => `"${krakenKey(asset)}":{"a":["1","1","1.000"],"c":["${price}","0.00160710"],"o":"1"}`)
        .join(',')}}}`,
    unknownSymbol: { status: 200, text: '{"error":["EQuery:Unknown asset pair"]}' },
    outOfOrder: '{"error":["EService:Unavailable"]}',
  },
  binance: {
    requestOf({ pathname, searchParams }) {
      if (pathname === '/api/v3/ticker/price') {
        const symbols: readonly string[] = JSON.parse(searchParams.get('symbols') ?? '[]');
        return { kind: 'prices', assets: ASSETS.filter((asset) => symbols.includes(`${asset}USDT`)) };
      }
      const asset = ASSETS.find((one) => `${one}USDT` === searchParams.get('symbol'));
      if (pathname !== '/api/v3/klines' || asset === undefined) return null;
      const step = { '1h': 3_600_000, '5m': 300_000 }[searchParams.get('interval') ?? ''] ?? 0;
      return {
        kind: 'candles',
        asset,
        step,
        from: Number(searchParams.get('startTime')),
        to: Number(searchParams.get('endTime')) + 1,
      };
    },
    candles(candles, { step, swapped }) {
      return `[${candles
        .map(({ start, open, high, low, close, volume }) => {
          const figures = [open, high, low, close, volume].map((text) => (swapped ? text : JSON.stringify(text)));
          return `[${[start, ...figures, start + step - 1].join(',')},"1313200.01",617,"12.28492","745719.41","0"]`;
        })
        .join(',')}]`;
    },
    prices: (prices) => `[${prices.map(([asset, price]) => `{"symbol":"${asset}USDT","price":"${price}"}`).join(',')}]`,
    unknownSymbol: { status: 400, text: '{"code":-1121,"msg":"Invalid symbol."}' },
    outOfOrder: '{"code":-1001,"msg":"Internal error; unable to process your request. Please try again."}',
  },
};

function krakenKey(asset: Asset): string {
  return KRAKEN_KEYS[asset] ?? `${asset}USD`;
}

function time(parameters: URLSearchParams, name: string): number {
  return new Date(parameters.get(name) ?? '').getTime();
}
