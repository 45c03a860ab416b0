import type { HourPricesQuery } from './documents/hour.ts';
import { type HourPoint, minutesFrom } from './hour-lines.ts';

type Reference = NonNullable<HourPricesQuery['round']>['reference'];

/** What the price alone said of `answer`, at each point of which the price is known. */
export function referenceLine(reference: Reference, { start, answer }: { start: string; answer: string }): HourPoint[] {
  return reference.flatMap(({ at, known, probabilities }) => {
    const value = probabilities.find((one) => one.answer === answer)?.probability;
    return known && value !== undefined ? [{ minute: minutesFrom(start, at), value }] : [];
  });
}

/** An asset's return since the start of the hour, in percent. */
export interface ReturnLine {
  readonly symbol: string;
  readonly points: readonly HourPoint[];
}

/** A price that was seen by itself, after the last point of the reference. */
export interface SeenPrice {
  readonly at: string;
  readonly symbol: string;
  readonly priceUsd: number;
}

interface Around {
  readonly start: string;
  readonly seen: readonly SeenPrice[];
  /** With each asset's return over the whole hour once that is decided, in percent. */
  readonly assets?: readonly { readonly symbol: string; readonly returnPct?: number | null }[];
}

/**
 * The returns since the start of the hour of every asset whose start price is known, with those seen since. Once the hour
 * is decided they end with the candles that decided it.
 */
export function returnLines(reference: Reference, { start, seen, assets = [] }: Around): ReturnLine[] {
  const priced = reference.filter(({ prices }) => prices.length > 0);
  const [first] = priced;
  const last = Date.parse(priced.at(-1)?.at ?? start);
  return (first?.prices ?? []).map(({ asset, priceUsd: open }) => {
    const pointOf = (at: string, priceUsd: number): HourPoint => ({
      minute: minutesFrom(start, at),
      value: (priceUsd / open - 1) * 100,
    });
    const kept = priced.flatMap(({ at, prices }) =>
      prices.filter((price) => price.asset === asset).map(({ priceUsd }) => pointOf(at, priceUsd)),
    );
    const since = seen
      .filter(({ symbol, at }) => symbol === asset && Date.parse(at) > last)
      .map(({ at, priceUsd }) => pointOf(at, priceUsd));
    const whole = assets.find(({ symbol }) => symbol === asset)?.returnPct;
    const end = whole == null ? [] : [{ minute: 60, value: whole }];
    return { symbol: asset, points: [...kept, ...since, ...end] };
  });
}

interface AskedLevels {
  readonly questionType: string;
  readonly thresholdPct: number | null | undefined;
}

/** The returns, in percent, at which the answer to a question turns. */
export function turningReturns({ questionType, thresholdPct }: AskedLevels): number[] {
  if (thresholdPct == null) return [];
  return questionType === 'range' || questionType === 'magnitude' ? [-thresholdPct, thresholdPct] : [thresholdPct];
}
