import type { Asset } from '../../rules/assets.ts';
import { HOUR, addHours, hourOf } from '../../rules/hours.ts';
import { MAX_CANDLES, type ShownCandles } from './exchanges/exchange.ts';
import { SourceFailure, type Origin } from './source-failure.ts';
import type { Asking, Source } from './source.ts';

/** What a source answered when it was asked for an asset's hour candles; `shown` is null when it failed. */
export interface HourAnswer {
  readonly source: string;
  readonly asset: Asset;
  readonly shown: ShownCandles | null;
  /** Why it failed; null when it did not. */
  readonly failure: SourceFailure | null;
  readonly origin: Origin;
  readonly fetchedAt: Date;
}

/** At most so many hours are asked for at once: one before and one after them are asked for too. */
export const MAX_HOURS = MAX_CANDLES - 2;

/**
 * Asks a source for the hours from `first` on, with the hour before them (to tell a repeated candle) and all that came
 * since (the witnesses), as far as one request reaches.
 */
export async function askHours(
  source: Source,
  asset: Asset,
  { asking, ...at }: { first: Date; now: Date; asking?: Asking },
): Promise<HourAnswer> {
  const { name } = source.exchange;
  const from = addHours(at.first, -1);
  const to = new Date(Math.min(hourOf(at.now).getTime() + HOUR, from.getTime() + MAX_CANDLES * HOUR));
  const request = { asset, step: '1h', from, to } as const;
  try {
    const path = source.exchange.candlesPath(request);
    const { value, origin, fetchedAt } = await source.ask(
      path,
      (body) => source.exchange.candlesOf(body, request),
      asking,
    );
    return { source: name, asset, shown: value, failure: null, origin, fetchedAt };
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    return { source: name, asset, shown: null, failure: error, origin: error.origin, fetchedAt: at.now };
  }
}
