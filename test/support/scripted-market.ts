import type { HourCandle, HourVerdict, Market } from '../../src/market/market.ts';
import { simulatedMarket } from '../../src/market/simulated/simulated.ts';
import type { Asset } from '../../src/rules/assets.ts';
import { hourOf } from '../../src/rules/hours.ts';

/** Simulated prices, but for the hours that a test scripts: given candles, or none at all. */
export interface ScriptedMarket extends Market {
  /** The asset's candle of the hour that starts then: `[open, high, low, close]`; null: the hour has no price. */
  script(asset: Asset, hourStart: Date | string, candle: readonly [string, string, string, string] | null): void;
}

/** One for all suites of a worker: it works out weeks of prices at a service's start, and keeps them. */
const simulated = simulatedMarket();

export function scriptedMarket(): ScriptedMarket {
  const scripted = new Map<string, readonly [string, string, string, string] | null>();
  return {
    ...simulated,
    source: 'scripted',
    script: (asset, hourStart, candle) => scripted.set(keyOf(asset, new Date(hourStart)), candle),
    async hourCandles(asset, from, to, now) {
      const found = await simulated.hourCandles(asset, from, to, now);
      return found.flatMap((candle): HourCandle[] => {
        const key = keyOf(asset, candle.hourStart);
        const script = scripted.get(key);
        if (script === undefined) return [candle];
        if (script === null || candle.hourStart >= hourOf(now)) return [];
        const [open, high, low, close] = script;
        return [{ ...candle, open, high, low, close }];
      });
    },
  };
}

/** The market, but for what it says of the round whose hour starts then: `change` makes it out of its true verdict. */
export function judging(
  market: Market,
  change: (verdict: HourVerdict, hourStart: Date) => HourVerdict | Promise<HourVerdict>,
): Market {
  return {
    ...market,
    async decide(assets, hours, now) {
      const hourStart = new Date(Math.max(...hours.map((hour) => hour.getTime())));
      return change(await market.decide(assets, hours, now), hourStart);
    },
  };
}

/** The same prices, but for instants of an hour at which none is known. */
export function withOutages(market: Market, isOut: (hourStart: Date, time: Date) => boolean): Market {
  return {
    ...market,
    pricesSoFar(assets, instants, now) {
      const soFar = market.pricesSoFar(assets, instants, now);
      return instants.times.map((time, place) => (isOut(instants.hourStart, time) ? null : (soFar[place] ?? null)));
    },
  };
}

function keyOf(asset: Asset, hour: Date): string {
  return `${asset} ${hour.toISOString()}`;
}
