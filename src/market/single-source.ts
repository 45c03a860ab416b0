import { type Asset, byAsset } from '../rules/assets.ts';
import { addHours, HOUR, hourOf } from '../rules/hours.ts';
import { type Figures, figuresOf } from './figures.ts';
import {
  type HourCandle,
  type HourVerdict,
  type Market,
  MarketUnavailable,
  NO_REQUESTS,
  type PriceSoFar,
  type Quotes,
  type SourceCandle,
} from './market.ts';
import { allOrNone } from './replay/prices-so-far.ts';

/** Every candle of the source counts. Instants are ms since 1970. */
interface SingleSource {
  readonly source: string;
  readonly warning: string;
  readonly hourAt: (asset: Asset, hourStart: number) => Figures | null;
  /** Called with ascending instants of the hour. */
  readonly pricesAlong: (asset: Asset, hourStart: number) => (time: number) => PriceSoFar | null;
  readonly quotes: (now: Date) => Quotes | null;
}

export function singleSource({ source, warning, hourAt, pricesAlong, quotes }: SingleSource): Market {
  return {
    source,
    warning,
    isLive: false,
    providerIds: byAsset((asset) => `${asset}-USD`),
    async hourCandles(asset, from, to, now) {
      const candles: HourCandle[] = [];
      const end = Math.min(to.getTime(), hourOf(now).getTime());
      for (let start = Math.ceil(from.getTime() / HOUR) * HOUR; start < end; start += HOUR) {
        const hour = hourAt(asset, start);
        if (hour !== null) candles.push({ hourStart: new Date(start), ...hour });
      }
      return candles;
    },
    pricesSoFar: (assets, { hourStart, times }, now) => {
      const soFar = assets.map((asset) => pricesAlong(asset, hourStart.getTime()));
      return times.map((time) => (time > now ? null : allOrNone(soFar.map((at) => at(time.getTime())))));
    },
    decide(assets, hours, now) {
      const pairs = assets.flatMap((asset) => hours.map((hourStart) => ({ asset, hourStart })));
      return decideAlone(this, pairs, now);
    },
    status() {
      return [{ source: this.source, state: 'up', ...NO_REQUESTS }];
    },
    quotes,
  };
}

type AssetHour = Pick<SourceCandle, 'asset' | 'hourStart'>;

async function decideAlone(market: Market, pairs: readonly AssetHour[], now: Date): Promise<HourVerdict> {
  const found = await Promise.all(pairs.map((pair) => candleAt(market, pair, now)));
  const candles = found.flatMap(({ pair: { asset }, candle }) => (candle === null ? [] : [{ ...candle, asset }]));
  const evidence = found.map(({ pair, candle, leftOut }): SourceCandle => {
    const origin = { source: market.source, bodyHash: null, sourceTime: null, fetchedAt: now };
    const figures = figuresOf((name) => candle?.[name] ?? null);
    return { ...origin, ...pair, ...figures, counted: candle !== null, leftOut };
  });
  return {
    candles,
    evidence,
    problem: candles.length < pairs.length ? 'no_prices' : null,
    late: [],
    answered: Number(found.every(({ isAnswer }) => isAnswer)),
    needed: 1,
  };
}

async function candleAt(market: Market, pair: AssetHour, now: Date) {
  const { asset, hourStart } = pair;
  try {
    const [candle = null] = await market.hourCandles(asset, hourStart, addHours(hourStart, 1), now);
    return { pair, candle, leftOut: candle === null ? 'It has no price in this hour.' : null, isAnswer: true };
  } catch (error) {
    if (!(error instanceof MarketUnavailable)) throw error;
    return { pair, candle: null, leftOut: 'It does not answer at present.', isAnswer: false };
  }
}
