import { afterAll, describe, expect, test } from '@jest/globals';
import type { HourCandle, Market, Quotes } from '../../src/market/market.ts';
import { openReplay } from '../../src/market/replay/replay.ts';
import { simulatedMarket } from '../../src/market/simulated/simulated.ts';
import { ASSETS, type Asset } from '../../src/rules/assets.ts';
import { HOUR, MINUTE, addHours } from '../../src/rules/hours.ts';
import { handMadeMarket } from './live/exchanges/played-market.ts';
import { playSources } from './live/exchanges/played-sources.ts';
import { folderOf, forAll, rowsFrom } from './replay-folder.ts';

const START = new Date('2024-02-28T00:00:00Z');
const HOURS = 60;
const NOW = new Date('2024-03-01T09:41:07.250Z');
const OVER = 57;
const DECIMAL = /^\d+(\.\d+)?$/;

function wave(place: number): number {
  return 100 + (place % 17) - (place % 23);
}

async function openReplayOfFolder(): Promise<Market> {
  await using folder = await folderOf(
    forAll(
      '5m',
      rowsFrom(START.toISOString(), 5, HOURS * 12, (place) => {
        const price = wave(place);
        return `${price}.5,${price + 2}.25,${price - 2}.75,${price}.125,${(place % 5) + 1}.5`;
      }),
    ),
  );
  return await openReplay(folder.path);
}

const opened = new AsyncDisposableStack();
afterAll(async () => {
  await opened.disposeAsync();
});

interface Opened extends Omit<Market, 'quotes'> {
  quotes(now: Date): Promise<Quotes | null> | Quotes | null;
}

/** A live market whose exchanges stand still at `NOW`, but for quotes: then they show, and are asked at, that time. */
async function openLive(): Promise<Opened> {
  const played = handMadeMarket({ start: START, candles: HOURS * 12, now: NOW }, (place) => {
    const price = wave(place);
    const volume = `${(place % 5) + 1}.5`;
    return { open: `${price}.5`, high: `${price + 2}.25`, low: `${price - 2}.75`, close: `${price}.125`, volume };
  });
  const sources = opened.use(await playSources(played));
  const live = sources.open();
  return {
    ...live,
    async quotes(now) {
      played.now = now;
      await live.refresh();
      played.now = NOW;
      return live.quotes(now);
    },
  };
}

interface Driver {
  readonly name: string;
  /** How its `source` begins. */
  readonly source: string;
  /** Null where prices are real. */
  readonly warning: RegExp | null;
  /** What BTC is called there. */
  readonly btc: string;
  readonly sources: number;
  readonly open: () => Promise<Opened>;
}

const UNREAL = { warning: /^Prices are .+\.$/, btc: 'BTC-USD', sources: 1 };
const DRIVERS: readonly Driver[] = [
  { name: 'simulated', source: 'simulated', ...UNREAL, open: async () => simulatedMarket() },
  { name: 'replay', source: 'replay:', ...UNREAL, open: openReplayOfFolder },
  {
    name: 'live',
    source: 'coinbase+kraken+binance',
    warning: null,
    btc: 'BTC-USD+XBTUSD+BTCUSDT',
    sources: 3,
    open: openLive,
  },
];

function hoursTo(market: Pick<Market, 'hourCandles'>, asset: Asset, now: Date): Promise<readonly HourCandle[]> {
  return market.hourCandles(asset, START, addHours(START, HOURS), now);
}

describe.each(DRIVERS)('market driver $name', ({ source, warning, btc, sources, open }) => {
  test('a market names its source and each asset, and warns about prices that are not real', async () => {
    const market = await open();
    expect(market.source.startsWith(source)).toBe(true);
    if (warning === null) expect(market.warning).toBeNull();
    else expect(market.warning).toMatch(warning);
    expect(market.providerIds.BTC).toBe(btc);
    for (const asset of ASSETS) expect(market.providerIds[asset]).not.toBe('');
  });

  test('hourCandles() returns every complete hour of the range, ascending', async () => {
    const market = await open();
    for (const asset of ASSETS) {
      const starts = (await hoursTo(market, asset, NOW)).map((candle) => candle.hourStart);
      expect(starts).toEqual(Array.from({ length: OVER }, (_, place) => addHours(START, place)));
    }
  });

  test('hourCandles() includes the start of the range and excludes its end, without rounding', async () => {
    const market = await open();
    const from = new Date(START.getTime() + 1);
    const candles = await market.hourCandles('ETH', from, addHours(START, 3), NOW);
    expect(candles.map((candle) => candle.hourStart)).toEqual([addHours(START, 1), addHours(START, 2)]);
    expect(await market.hourCandles('ETH', addHours(START, 3), addHours(START, 3), NOW)).toEqual([]);
    expect(await market.hourCandles('ETH', addHours(START, 3), START, NOW)).toEqual([]);
  });

  test('hourCandles() returns an hour from the instant of its end', async () => {
    const market = await open();
    const end = addHours(START, 5);
    expect(await hoursTo(market, 'SOL', new Date(end.getTime() - 1))).toHaveLength(4);
    expect(await hoursTo(market, 'SOL', end)).toHaveLength(5);
  });

  test('candles are exact decimals with high and low around the other prices', async () => {
    const market = await open();
    for (const asset of ASSETS)
      for (const { open: first, high, low, close, volume } of await hoursTo(market, asset, NOW)) {
        for (const text of [first, high, low, close, volume]) expect(text).toMatch(DECIMAL);
        expect(Number(high)).toBeGreaterThanOrEqual(Math.max(Number(first), Number(close)));
        expect(Number(low)).toBeLessThanOrEqual(Math.min(Number(first), Number(close)));
        expect(Number(low)).toBeGreaterThan(0);
        expect(Number(volume)).toBeGreaterThan(0);
      }
  });

  test('answers are the same at any time, in any order and from any instance', async () => {
    const [one, other] = [await open(), await open()];
    const whole = await hoursTo(one, 'LINK', NOW);
    const quotes = await one.quotes(NOW);
    expect(await other.quotes(addHours(NOW, 1))).not.toEqual(quotes);
    for (const candle of whole.toReversed()) {
      const end = addHours(candle.hourStart, 1);
      expect(await other.hourCandles('LINK', candle.hourStart, end, end)).toEqual([candle]);
    }
    expect(await other.quotes(NOW)).toEqual(quotes);
    expect(await one.quotes(NOW)).toEqual(quotes);
  });

  test('quotes() has fresh numbers for every asset, none from the future', async () => {
    const market = await open();
    for (const now of [NOW, new Date(NOW.getTime() + 1), addHours(START, 30), new Date(START.getTime() + MINUTE)]) {
      const quotes = await market.quotes(now);
      expect(quotes?.stale).toBe(false);
      expect(quotes?.at.getTime()).toBeLessThanOrEqual(now.getTime());
      expect(quotes?.at.getTime()).toBeGreaterThan(now.getTime() - HOUR);
      for (const asset of ASSETS) {
        const quote = quotes?.assets[asset];
        for (const text of [quote?.priceUsd, quote?.high24h, quote?.low24h, quote?.volume24h])
          expect(text).toMatch(DECIMAL);
        expect(Number(quote?.high24h)).toBeGreaterThanOrEqual(Number(quote?.priceUsd));
        expect(Number(quote?.low24h)).toBeLessThanOrEqual(Number(quote?.priceUsd));
        expect(Number.isFinite(quote?.change1hPct)).toBe(true);
        expect(Number.isFinite(quote?.change24hPct)).toBe(true);
      }
    }
  });

  test('quotes() at a whole hour has its open, and changes over 1 and 24 hours', async () => {
    const market = await open();
    const now = addHours(START, 40);
    const opens = (await hoursTo(market, 'DOT', NOW)).map((candle) => Number(candle.open));
    const quote = (await market.quotes(now))?.assets.DOT;
    const [price = 0, hourAgo = 0, dayAgo = 0] = [opens[40], opens[39], opens[16]];
    expect(Number(quote?.priceUsd)).toBe(price);
    expect(quote?.change1hPct).toBeCloseTo((price / hourAgo - 1) * 100, 3);
    expect(quote?.change24hPct).toBeCloseTo((price / dayAgo - 1) * 100, 3);
  });

  test('quotes() at a whole hour has high, low and volume of the last 24 candles', async () => {
    const market = await open();
    const now = addHours(START, 40);
    const day = (await hoursTo(market, 'ADA', NOW)).slice(16, 40);
    const quote = (await market.quotes(now))?.assets.ADA;
    const price = Number(quote?.priceUsd);
    expect(Number(quote?.high24h)).toBe(Math.max(price, ...day.map((hour) => Number(hour.high))));
    expect(Number(quote?.low24h)).toBe(Math.min(price, ...day.map((hour) => Number(hour.low))));
    expect(Number(quote?.volume24h)).toBeCloseTo(
      day.reduce((sum, hour) => sum + Number(hour.volume), 0),
      2,
    );
  });

  test('decide() returns the candles of complete hours with the evidence of each source', async () => {
    const market = await open();
    const hours = [addHours(START, 20), addHours(START, 21)];
    const verdict = await market.decide(['BTC', 'DOT'], hours, NOW);
    expect(verdict.problem).toBeNull();
    expect(verdict.candles).toHaveLength(4);
    for (const { asset, ...candle } of verdict.candles)
      expect([candle]).toEqual(await market.hourCandles(asset, candle.hourStart, addHours(candle.hourStart, 1), NOW));
    expect(verdict.evidence).toHaveLength(4 * sources);
    for (const evidence of verdict.evidence) {
      const candle = verdict.candles.find(
        ({ asset, hourStart }) => asset === evidence.asset && hourStart.getTime() === evidence.hourStart.getTime(),
      );
      expect(evidence).toMatchObject({ ...candle, counted: true, leftOut: null, fetchedAt: NOW });
    }
    expect(new Set(verdict.evidence.map((one) => one.source))).toEqual(new Set(market.source.split('+')));
  });

  test('decide() returns no candle of an incomplete hour, but the reason', async () => {
    const market = await open();
    const verdict = await market.decide(['ETH'], [addHours(START, OVER)], NOW);
    expect(verdict).toMatchObject({ candles: [], problem: 'no_prices' });
    expect(verdict.evidence).toHaveLength(sources);
    for (const { counted, leftOut } of verdict.evidence) {
      expect(counted).toBe(false);
      expect(leftOut).toMatch(/^.+\.$/);
    }
  });

  test('decide() returns the complete hours among incomplete ones', async () => {
    const market = await open();
    const verdict = await market.decide(['ETH'], [addHours(START, OVER - 1), addHours(START, OVER)], NOW);
    expect(verdict.candles.map(({ hourStart }) => hourStart)).toEqual([addHours(START, OVER - 1)]);
    expect(verdict.problem).toBe('no_prices');
    expect(await market.decide([], [], NOW)).toMatchObject({ candles: [], evidence: [], problem: null, late: [] });
  });

  test('pricesSoFar() is null for future instants, and for past ones of live markets', async () => {
    const market = await open();
    await market.quotes(NOW);
    const hour = { hourStart: addHours(START, 57), times: [NOW, new Date(NOW.getTime() + 1)] };
    const [now, later] = market.pricesSoFar(['ADA'], hour, NOW);
    expect(now).toHaveLength(1);
    expect(later).toBeNull();
    const [past] = market.pricesSoFar(['ADA'], { hourStart: addHours(START, 20), times: [addHours(START, 20)] }, NOW);
    expect(past === null).toBe(market.isLive);
  });

  test('status() has one row for each source', async () => {
    const market = await open();
    await market.quotes(NOW);
    expect(market.status().map((status) => status.source)).toEqual(market.source.split('+'));
    for (const status of market.status()) expect(status).toMatchObject({ state: 'up', lastError: null });
  });
});
