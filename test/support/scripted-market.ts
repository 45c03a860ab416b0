import type { HourCandle, HourVerdict, Market } from '../../src/market/market.ts';
import { simulatedMarket } from '../../src/market/simulated/simulated.ts';
import type { Asset } from '../../src/rules/assets.ts';
import { hourOf } from '../../src/rules/hours.ts';

/** Simulated prices, except for hours that a test scripts. */
export interface ScriptedMarket extends Market {
  /** `[open, high, low, close]` of the asset's hour; null: no price. */
  script(asset: Asset, hourStart: Date | string, candle: readonly [string, string, string, string] | null): void;
}

/** Shared by all suites of a worker: it caches weeks of prices. */
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

/** `change` alters the true verdict about the round of this hour. */
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

/** The same prices, without those at some instants. */
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
