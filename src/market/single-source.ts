import { type Asset, byAsset } from '../rules/assets.ts';
import { addHours, HOUR, hourOf } from '../rules/hours.ts';
import type { Figures } from './figures.ts';
import {
  type HourCandle,
  type HourVerdict,
  type Market,
  MarketUnavailable,
  type PriceSoFar,
  type Quotes,
  type SourceCandle,
} from './market.ts';
import { allOrNone } from './replay/prices-so-far.ts';

/** A market that asks nobody: whatever it has counts, and any past instant can be asked. Instants are ms since 1970. */
interface SingleSource {
  readonly source: string;
  readonly warning: string;
  /** The hour that starts then and is over; null where it has no price. */
  readonly hourAt: (asset: Asset, hourStart: number) => Figures | null;
  /** What is known of the asset at instants of the hour that starts then, which are asked in ascending order. */
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
      return decideAlone(this, { assets, hours, now });
    },
    status() {
      const never = { lastSuccessAt: null, lastErrorAt: null, lastError: null, lateTries: 0 };
      return [{ source: this.source, state: 'up', ...never }];
    },
    quotes: async (now) => quotes(now),
  };
}

interface HoursRequest {
  readonly assets: readonly Asset[];
  readonly hours: readonly Date[];
  readonly now: Date;
}

/** The verdict of a market that is its own only source: whatever candle it has counts. */
async function decideAlone(market: Market, { assets, hours, now }: HoursRequest): Promise<HourVerdict> {
  const pairs = assets.flatMap((asset) => hours.map((hourStart) => ({ asset, hourStart })));
  const found = await Promise.all(pairs.map(({ asset, hourStart }) => candleAt(market, asset, { hourStart, now })));
  const candles = found.flatMap(({ candle }, place) => {
    const pair = pairs[place];
    return candle === null || pair === undefined ? [] : [{ ...candle, asset: pair.asset }];
  });
  const evidence = pairs.map((pair, place): SourceCandle => {
    const { candle = null, leftOut = null } = found[place] ?? {};
    const { open = null, high = null, low = null, close = null, volume = null } = candle ?? {};
    const shown = { ...pair, open, high, low, close, volume };
    const origin = { source: market.source, bodyHash: null, sourceTime: null, fetchedAt: now };
    return { ...origin, ...shown, counted: candle !== null, leftOut };
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

interface FoundCandle {
  readonly candle: HourCandle | null;
  readonly leftOut: string | null;
  readonly isAnswer: boolean;
}

async function candleAt(market: Market, asset: Asset, at: { hourStart: Date; now: Date }): Promise<FoundCandle> {
  const { hourStart, now } = at;
  try {
    const [candle = null] = await market.hourCandles(asset, hourStart, addHours(hourStart, 1), now);
    return { candle, leftOut: candle === null ? 'It has no price in this hour.' : null, isAnswer: true };
  } catch (error) {
    if (!(error instanceof MarketUnavailable)) throw error;
    return { candle: null, leftOut: 'It cannot be asked at present.', isAnswer: false };
  }
}
