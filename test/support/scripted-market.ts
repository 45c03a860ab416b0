import type { HourCandle, Market } from '../../src/market/market.ts';
import { simulatedMarket } from '../../src/market/simulated.ts';
import type { Asset } from '../../src/rules/assets.ts';
import { hourOf } from '../../src/rules/hours.ts';

/** Simulated prices, but for the hours that a test scripts: given candles, or none at all. */
export interface ScriptedMarket extends Market {
  /** The asset's candle of the hour that starts then: `[open, high, low, close]`; null: the hour has no price. */
  script(asset: Asset, hourStart: Date | string, candle: readonly [string, string, string, string] | null): void;
}

export function scriptedMarket(): ScriptedMarket {
  const simulated = simulatedMarket();
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

function keyOf(asset: Asset, hour: Date): string {
  return `${asset} ${hour.toISOString()}`;
}
