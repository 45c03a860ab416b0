import type { HourPricesQuery } from './documents/hour.ts';
import { minutesFrom } from './figures.ts';
import type { HourPoint } from './hour-lines.ts';

type Reference = NonNullable<HourPricesQuery['round']>['reference'];

/** One point wherever the price is known. */
export function referenceLine(reference: Reference, { start, answer }: { start: string; answer: string }): HourPoint[] {
  return reference.flatMap(({ at, known, probabilities }) => {
    const value = probabilities.find((one) => one.answer === answer)?.probability;
    return known && value !== undefined ? [{ minute: minutesFrom(start, at), value }] : [];
  });
}

/** Percent since the start of the hour. */
export interface ReturnLine {
  readonly symbol: string;
  readonly points: readonly HourPoint[];
}

/** A price received after the reference's last point. */
export interface SeenPrice {
  readonly at: string;
  readonly symbol: string;
  readonly priceUsd: number;
}

interface Around {
  readonly start: string;
  readonly seen: readonly SeenPrice[];
  /** Final returns in percent, once decided. */
  readonly assets?: readonly { readonly symbol: string; readonly returnPct?: number | null }[];
}

/** Assets with a known start price, with the prices received since. A decided hour ends with its deciding candles. */
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
