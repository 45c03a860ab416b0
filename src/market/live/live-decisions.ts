import { LRUCache } from 'lru-cache';

import type { Asset } from '../../rules/assets.ts';
import { HOUR, hourOf } from '../../rules/hours.ts';
import { askHours, type HourAnswer } from './hour-request.ts';
import { type HourVerdict, type Market, MarketUnavailable } from '../market.ts';
import type { AskOptions, Source } from './source.ts';
import { verdictOf } from './verdict.ts';
import { judge } from './final-candle.ts';

/** After a day down many older hours are due; but newer rounds wait at most 8 s for older ones. */
const OLD_HOURS_TIMEOUT_FACTOR = 1.4;

/** Requests from each source the candles that it has not reported as final. The next try repeats those that came too late. */
export function liveDecisions(
  sources: readonly Source[],
  { min, timeoutMs, stopping }: { readonly min: number; readonly timeoutMs: number; readonly stopping: AbortSignal },
): Market['decide'] {
  const kept = answerCache();
  return async (assets, hours, now): Promise<HourVerdict> => {
    const nothing = { candles: [], evidence: [], problem: null, late: [], answered: 0, needed: min };
    if (hours.length === 0 || assets.length === 0) return nothing;
    const request = { hours, now };
    const urgent = isNewest(request);
    const signal = AbortSignal.timeout(urgent ? timeoutMs : OLD_HOURS_TIMEOUT_FACTOR * timeoutMs);
    const asking: AskOptions = { signal, urgent };
    const first = new Date(Math.min(...hours.map((hour) => hour.getTime())));
    const ask = async (source: Source, asset: Asset): Promise<HourAnswer> =>
      kept.find(source.exchange.name, asset, request) ?? (await askHours(source, asset, { first, now, asking }));
    const answers = await Promise.all(assets.flatMap((asset) => sources.map((source) => ask(source, asset))));
    // An aborted request proves nothing about its source.
    if (stopping.aborted) throw new MarketUnavailable('The service stops.');
    const down = sources.filter((source) => source.isDown()).map(({ exchange }) => exchange.name);
    const verdict = verdictOf(answers, { ...request, min, down });
    for (const source of sources) if (verdict.late.includes(source.exchange.name)) source.wasLate();
    for (const answer of answers)
      if (isOpen(verdict)) kept.keep(answer, request);
      else kept.drop(answer, request);
    return verdict;
  };
}

/** True: the next try may reuse these answers. If sources disagree, all are queried again: one may have corrected itself. */
function isOpen({ late, problem }: HourVerdict): boolean {
  return problem === 'no_prices' || (problem === null && late.length > 0);
}

/** The round of the hour that has just ended goes before rounds that have waited longer. */
function isNewest({ hours, now }: HoursRequest): boolean {
  const last = Math.max(...hours.map((hour) => hour.getTime()));
  return last + HOUR === hourOf(now).getTime();
}

interface HoursRequest {
  readonly hours: readonly Date[];
  readonly now: Date;
}

const KEPT_MS = HOUR;
/** Twice what a day's waiting rounds need of three sources; about a megabyte. */
const MAX_KEPT = 1_200;

/** Final answers, so that the next try about the same hours does not repeat them. */
function answerCache() {
  const kept = new LRUCache<string, HourAnswer>({ max: MAX_KEPT });
  return {
    find(source: string, asset: Asset, request: HoursRequest) {
      const answer = kept.get(keyOf(source, asset, request));
      return answer !== undefined && request.now.getTime() - answer.fetchedAt.getTime() <= KEPT_MS ? answer : null;
    },
    keep(answer: HourAnswer, request: HoursRequest) {
      const key = keyOf(answer.source, answer.asset, request);
      if (answer !== kept.get(key) && isFinal(answer, request)) kept.set(key, withoutRest(answer, request));
    },
    drop({ source, asset }: HourAnswer, request: HoursRequest) {
      kept.delete(keyOf(source, asset, request));
    },
  };
}

function keyOf(source: string, asset: Asset, { hours }: HoursRequest): string {
  return JSON.stringify([source, asset, hours]);
}

function isFinal({ shown, fetchedAt }: HourAnswer, { hours, now }: HoursRequest): boolean {
  return shown !== null && hours.every((hour) => judge(shown, hour, { now, fetchedAt }).leftOut === null);
}

/** One candle for each needed hour. Copied, since a text cut from a body keeps the whole body in memory. */
function withoutRest(answer: HourAnswer, { hours }: HoursRequest): HourAnswer {
  const { candles = [], finalTo = Number.NaN } = answer.shown ?? {};
  const starts = hours.map((hour) => hour.getTime());
  const found = starts.flatMap((start) => candles.find((candle) => candle.start === start) ?? []);
  const witness = candles.find((candle) => candle.start > Math.max(...starts)) ?? [];
  return { ...answer, shown: { candles: structuredClone([found, witness].flat()), finalTo } };
}
