import type { Asset } from '../../rules/assets.ts';
import { HOUR, addHours, hourOf } from '../../rules/hours.ts';
import { MAX_CANDLES, type ShownCandles } from './exchanges/exchange.ts';
import { SourceFailure, type Origin } from './source-failure.ts';
import type { AskOptions, Source } from './source.ts';

export interface HourAnswer {
  readonly source: string;
  readonly asset: Asset;
  readonly shown: ShownCandles | null;
  readonly failure: SourceFailure | null;
  readonly origin: Origin;
  readonly fetchedAt: Date;
}

/** One hour before and one after them are requested too. */
export const MAX_HOURS = MAX_CANDLES - 2;

/** The hour before `first` detects a repeated candle; later ones show that a candle is final. */
export async function askHours(
  source: Source,
  asset: Asset,
  { asking, ...at }: { first: Date; now: Date; asking?: AskOptions },
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
