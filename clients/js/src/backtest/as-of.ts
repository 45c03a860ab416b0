import {
  addHours,
  type Asset,
  ASSETS,
  GRID_MS,
  gridPointAt,
  HOUR,
  MINUTE,
  momentAt,
  type QuestionType,
  referenceAt,
  spacedSeconds,
} from '../rules.ts';
import type { HourCandle, PastRound } from './past.ts';

/** The question as the reference has it, as far as it was known during the round. */
export interface AskedRound {
  readonly id: number | null;
  readonly question: string;
  readonly question_type: QuestionType;
  readonly prediction_format: 'choice' | 'boolean';
  readonly choices: readonly string[];
  readonly params: {
    readonly subject: string | null;
    readonly operator: string | null;
    readonly threshold_pct: number | null;
    readonly n: number | null;
  };
  /** Every asset whose candle decides. */
  readonly assets: readonly Asset[];
  readonly start_time: string;
  readonly end_time: string;
  readonly starts_at: string;
  readonly ends_at: string;
  readonly rules_version: number;
}

/** USD at a minute, and the extremes since the hour began. */
export interface AsOfPrice {
  readonly price_usd: number;
  readonly high_usd: number;
  readonly low_usd: number;
  /** Percent; null if the earlier price is unknown. */
  readonly change_1h: number | null;
  readonly change_24h: number | null;
}

/** Knowledge at a minute of a round's hour. Later minutes throw. */
export interface AsOfMarket {
  readonly round: AskedRound;
  /** From 0 to below 60. */
  readonly minute: number;
  readonly now: Date;
  /** The asset's price now or at an earlier minute; null if unknown. */
  readonly price: (asset: Asset, minute?: number) => AsOfPrice | null;
  /** The probability of each choice by the price alone, in their order; null without a price. */
  readonly reference: (minute?: number) => readonly number[] | null;
  /** Finished candles before the round, the oldest first; up to a week. */
  readonly candles: (asset: Asset, hours?: number) => readonly HourCandle[];
}

/** The market of a past round as of a minute. */
export function asOf(round: PastRound, minute: number): AsOfMarket {
  const { hourStart } = round;
  const timeAt = (atMinute: number): Date => {
    if (atMinute >= 0 && atMinute <= minute) return new Date(hourStart.getTime() + atMinute * MINUTE);
    throw new RangeError(`minute must be from 0 to ${minute}, since later ones are still to come (got ${atMinute}).`);
  };
  return {
    round: askedOf(round),
    minute,
    now: timeAt(minute),
    price(asset, atMinute = minute) {
      const time = timeAt(atMinute);
      // A point of the grid counts until the next one.
      const point = new Date(hourStart.getTime() + gridPointAt(hourStart, time) * GRID_MS);
      const shown = round.shownAt(asset, point);
      if (shown === null) return null;
      const { price, high, low } = shown;
      const changeOver = (hours: number): number | null => {
        const before = round.shownAt(asset, addHours(point, -hours));
        return before === null ? null : (price / before.price - 1) * 100;
      };
      const changes = { change_1h: changeOver(1), change_24h: changeOver(24) };
      return { price_usd: price, high_usd: high, low_usd: low, ...changes };
    },
    reference: (atMinute = minute) => referenceOf(round, gridPointAt(hourStart, timeAt(atMinute))),
    candles: (asset, hours = 168) =>
      round.candles[asset].filter(({ hourStart: start }) => start.getTime() >= hourStart.getTime() - hours * HOUR),
  };
}

/** Probabilities by the price alone at a point of the grid; null if unknown. */
export function referenceOf(round: PastRound, point: number): readonly number[] | null {
  const { question, basis, rulesVersion } = round;
  const quotes = [0, point].flatMap((one) => round.quoteAt(one) ?? []);
  const known = new Map(quotes.map((quote) => [quote.point, quote]));
  const moment = momentAt({ assets: question.assets, basis, quotes: known }, point);
  return moment === null ? null : referenceAt(question, moment, rulesVersion);
}

function askedOf({ id, hourStart, question, rulesVersion }: PastRound): AskedRound {
  const { subject, operator, thresholdPct, n } = question.params;
  const end = addHours(hourStart, 1);
  return {
    id,
    question: question.question,
    question_type: question.questionType,
    prediction_format: question.predictionFormat,
    choices: question.choices,
    params: { subject, operator, threshold_pct: thresholdPct === null ? null : Number(thresholdPct), n },
    assets: question.assets,
    start_time: spacedSeconds(hourStart),
    end_time: spacedSeconds(end),
    starts_at: hourStart.toISOString(),
    ends_at: end.toISOString(),
    rules_version: rulesVersion,
  };
}

/** The input of a program under `watch`, as of the market's minute. */
export function programInput(market: AsOfMarket): object {
  const { round, minute, now } = market;
  const prices = ASSETS.flatMap((asset) => {
    const price = market.price(asset);
    return price === null ? [] : [[asset, price]];
  });
  const probabilities = market.reference();
  return {
    round,
    time_remaining_seconds: Math.ceil((60 - minute) * 60),
    market: { timestamp: now.toISOString(), assets: Object.fromEntries(prices) },
    reference: (probabilities ?? []).map((probability, place) => ({ answer: round.choices[place], probability })),
  };
}
