import { MarketUnavailable } from '../market/market.ts';
import { wholeNumberWithin } from '../reads/paging.ts';
import { DomainError } from '../rules/errors.ts';
import { addHours, hourOf } from '../rules/hours.ts';
import type { HourCandleResolvers, QueryResolvers } from './schema-types.ts';

/** The last 7 days: what thresholds and references are made from. */
const MAX_HOURS = 168;

export const candleQueries = {
  async candles(_root, { asset, hours }, { market, clock }) {
    const count = wholeNumberWithin('hours', hours ?? 24, { min: 1, max: MAX_HOURS });
    const now = clock.now();
    const to = hourOf(now);
    try {
      // All of them whatever is asked, so that readers share one request to each source.
      const candles = await market.hourCandles(asset, addHours(to, -MAX_HOURS), to, now);
      const from = addHours(to, -count);
      return candles.filter(({ hourStart }) => hourStart >= from);
    } catch (error) {
      if (!(error instanceof MarketUnavailable)) throw error;
      throw new DomainError('UNAVAILABLE', `The candles of ${asset} cannot be asked at present; try again shortly.`, {
        retryAfter: 5,
        cause: error,
      });
    }
  },
} satisfies QueryResolvers;

export const hourCandleFields = {
  startTime: ({ hourStart }) => hourStart,
  openUsd: ({ open }) => Number(open),
  highUsd: ({ high }) => Number(high),
  lowUsd: ({ low }) => Number(low),
  closeUsd: ({ close }) => Number(close),
  volume: ({ volume }) => Number(volume),
} satisfies HourCandleResolvers;
