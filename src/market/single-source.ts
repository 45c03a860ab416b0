import type { Asset } from '../rules/assets.ts';
import { addHours } from '../rules/hours.ts';
import {
  type HourCandle,
  type HourVerdict,
  type Market,
  MarketUnavailable,
  type SourceCandle,
  type SourceStatus,
} from './market.ts';

interface HoursRequest {
  readonly assets: readonly Asset[];
  readonly hours: readonly Date[];
  readonly now: Date;
}

/** The verdict of a market that is its own only source: whatever candle it has counts. */
export async function decideAlone(market: Market, { assets, hours, now }: HoursRequest): Promise<HourVerdict> {
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

/** The status of a market that asks nobody: always up. */
export function statusAlone({ source }: Pick<Market, 'source'>): readonly SourceStatus[] {
  return [{ source, state: 'up', lastSuccessAt: null, lastErrorAt: null, lastError: null, lateTries: 0 }];
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
