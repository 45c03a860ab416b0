import { type HourCandle, MarketUnavailable } from '../market/market.ts';
import { type Asset, ASSETS } from '../rules/assets.ts';
import { DomainError, wholeNumberWithin } from '../rules/errors.ts';
import { addHours, hourOf } from '../rules/hours.ts';
import { HISTORY_HOURS } from '../rules/questions/thresholds.ts';
import { isTurnOver, ownTurn } from '../turns.ts';
import type { Services } from './context.ts';
import type { Resolvers } from './schema-types.ts';

export const marketResolvers = {
  Query: {
    market: (_root, _args, { services: { market, clock } }) => {
      const quotes = market.quotes(clock.now());
      if (quotes === null) {
        throw new DomainError('no_prices_yet', `There are no prices from ${market.source} yet; try again shortly.`, {
          retryAfter: 5,
        });
      }
      return {
        timestamp: quotes.at,
        source: market.source,
        stale: quotes.stale,
        warning: market.warning,
        assets: ASSETS.map((symbol) => {
          const quote = quotes.assets[symbol];
          return {
            symbol,
            priceUsd: Number(quote.priceUsd),
            change1h: rounded(quote.change1hPct),
            change24h: rounded(quote.change24hPct),
            high24h: Number(quote.high24h),
            low24h: Number(quote.low24h),
            volume24h: Number(quote.volume24h),
            providerId: market.providerIds[symbol],
          };
        }),
      };
    },
    async candles(_root, { asset, hours }, { services }) {
      const found = await candlesOver(services, asset, hours ?? 24);
      if (found !== null) return found;
      throw new DomainError('unavailable', `The candles of ${asset} cannot be fetched at present; try again shortly.`, {
        retryAfter: 5,
      });
    },
  },
  HourCandle: {
    startTime: ({ hourStart }) => hourStart,
    openUsd: ({ open }) => Number(open),
    highUsd: ({ high }) => Number(high),
    lowUsd: ({ low }) => Number(low),
    closeUsd: ({ close }) => Number(close),
    volume: ({ volume }) => Number(volume),
  },
} satisfies Resolvers;

/** Past candles of an asset; null while the market is unavailable. Throws for hours out of bounds. */
export async function candlesOver(
  { market, clock }: Pick<Services, 'market' | 'clock'>,
  asset: Asset,
  hours: number | null | undefined,
): Promise<HourCandle[] | null> {
  const count = wholeNumberWithin('hours', hours ?? 12, { min: 1, max: HISTORY_HOURS });
  const now = clock.now();
  const to = hourOf(now);
  // Simulated prices are computed again for each caller.
  if (isTurnOver()) await ownTurn();
  try {
    // Always the whole history behind thresholds, so that readers share one request per source.
    const candles = await market.hourCandles(asset, addHours(to, -HISTORY_HOURS), to, now);
    const from = addHours(to, -count);
    return candles.filter(({ hourStart }) => hourStart >= from);
  } catch (error) {
    if (error instanceof MarketUnavailable) return null;
    throw error;
  }
}

function rounded(pct: number): number {
  return Number(pct.toFixed(4));
}
