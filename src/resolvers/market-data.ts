import { ASSETS } from '../rules/assets.ts';
import { DomainError } from '../rules/errors.ts';
import type { QueryResolvers } from './schema-types.ts';

export const marketQueries = {
  market: async (_root, _args, { market, clock }) => {
    const quotes = await market.quotes(clock.now());
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
} satisfies QueryResolvers;

/** Percent for display, four decimals as with returns. */
function rounded(pct: number): number {
  return Number(pct.toFixed(4));
}
