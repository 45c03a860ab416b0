import { LRUCache } from 'lru-cache';

import type { Asset } from '../../rules/assets.ts';
import { HOUR, hourOf } from '../../rules/hours.ts';
import { askHours, type HourAnswer } from './hour-request.ts';
import { type HourVerdict, type Market, MarketUnavailable } from '../market.ts';
import type { Asking, Source } from './source.ts';
import { verdictOf } from './verdict.ts';
import { judge } from './final-candle.ts';

interface DecisionSettings {
  /** How many sources must agree. */
  readonly min: number;
  /** Real milliseconds for one answer: all that a source has for what a try asks of the hour that has just ended. */
  readonly timeoutMs: number;
  readonly stopping: AbortSignal;
}

/** After a day down there are many older hours to ask for; but newer rounds wait for older ones for 8 s at the most. */
const OLD_HOURS_TIMEOUT_FACTOR = 1.4;

/**
 * How a live market decides. All sources are asked at once, each for what it has not shown for good yet. What has not come
 * in time has failed, be it that its turn did not come; the next try asks for it again.
 */
export function liveDecisions(
  sources: readonly Source[],
  { min, timeoutMs, stopping }: DecisionSettings,
): Market['decide'] {
  const kept = keptAnswers();
  return async (assets, hours, now): Promise<HourVerdict> => {
    const nothing = { candles: [], evidence: [], problem: null, late: [], answered: 0, needed: min };
    if (hours.length === 0 || assets.length === 0) return nothing;
    const asked = { hours, now };
    const urgent = isNewest(asked);
    const signal = AbortSignal.timeout(urgent ? timeoutMs : OLD_HOURS_TIMEOUT_FACTOR * timeoutMs);
    const asking: Asking = { signal, urgent };
    const first = new Date(Math.min(...hours.map((hour) => hour.getTime())));
    const ask = async (source: Source, asset: Asset): Promise<HourAnswer> =>
      kept.find(source.exchange.name, asset, asked) ?? (await askHours(source, asset, { first, now, asking }));
    const answers = await Promise.all(assets.flatMap((asset) => sources.map((source) => ask(source, asset))));
    // An aborted request says nothing about its source.
    if (stopping.aborted) throw new MarketUnavailable('The service stops.');
    const down = sources.filter((source) => source.isDown()).map(({ exchange }) => exchange.name);
    const verdict = verdictOf(answers, { ...asked, min, down });
    for (const source of sources) if (verdict.late.includes(source.exchange.name)) source.wasLate();
    for (const answer of answers)
      if (isOpen(verdict)) kept.keep(answer, asked);
      else kept.drop(answer, asked);
    return verdict;
  };
}

/** Whether the next try may build on this one. Sources that disagree are asked anew: one may have put itself right. */
function isOpen({ late, problem }: HourVerdict): boolean {
  return problem === 'no_prices' || (problem === null && late.length > 0);
}

/** Whether the last of the hours has just ended: its round goes before those that have waited for longer. */
function isNewest({ hours, now }: AskedHours): boolean {
  const last = Math.max(...hours.map((hour) => hour.getTime()));
  return last + HOUR === hourOf(now).getTime();
}

/** The hours that a request is about, and when it is sent. */
export interface AskedHours {
  readonly hours: readonly Date[];
  readonly now: Date;
}

/** Answers of sources that leave nothing open, so that the next try about the same hours need not ask for them again. */
export interface KeptAnswers {
  /** The answer as it came, with its hash and its times; null when there is none, or it is too old. */
  find(source: string, asset: Asset, asked: AskedHours): HourAnswer | null;
  /** Keeps the answer if it shows a final candle of every hour. */
  keep(answer: HourAnswer, asked: AskedHours): void;
  drop(answer: HourAnswer, asked: AskedHours): void;
}

/** For so long, of service time, a round's tries build on one another. */
const KEPT_MS = HOUR;
/** All that a day's waiting rounds can ask of three sources, twice over; about a megabyte. */
const MAX_KEPT = 1_200;

export function keptAnswers(): KeptAnswers {
  const kept = new LRUCache<string, HourAnswer>({ max: MAX_KEPT });
  return {
    find(source, asset, asked) {
      const answer = kept.get(keyOf(source, asset, asked));
      return answer === undefined || isOld(answer, asked.now) ? null : answer;
    },
    keep(answer, asked) {
      const key = keyOf(answer.source, answer.asset, asked);
      if (answer !== kept.get(key) && isFinal(answer, asked)) kept.set(key, withoutRest(answer, asked));
    },
    drop({ source, asset }, asked) {
      kept.delete(keyOf(source, asset, asked));
    },
  };
}

function keyOf(source: string, asset: Asset, { hours }: AskedHours): string {
  return JSON.stringify([source, asset, hours]);
}

function isOld({ fetchedAt }: HourAnswer, now: Date): boolean {
  return now.getTime() - fetchedAt.getTime() > KEPT_MS;
}

function isFinal({ shown, fetchedAt }: HourAnswer, { hours, now }: AskedHours): boolean {
  return shown !== null && hours.every((hour) => judge(shown, hour, { now, fetchedAt }).leftOut === null);
}

/** What shows that these hours are final, one candle each; copied, since a text cut from a body keeps all of it in memory. */
function withoutRest(answer: HourAnswer, { hours }: AskedHours): HourAnswer {
  const { candles = [], finalTo = Number.NaN } = answer.shown ?? {};
  const starts = hours.map((hour) => hour.getTime());
  const needed = new Set(starts.flatMap((start) => [start - HOUR, start]));
  const found = [...needed].flatMap((start) => candles.find((candle) => candle.start === start) ?? []);
  const witness = candles.find((candle) => candle.start > Math.max(...starts)) ?? [];
  return { ...answer, shown: { candles: structuredClone([found, witness].flat()), finalTo } };
}
