import { SYMBOLS, type Candles, type HourCandle } from './candle-files.ts';
import { scaled } from './decimals.ts';
import { at, found } from './json.ts';
import type { QuestionType, RoundFacts } from './round-facts.ts';

/** What the candles decide about a round that is over. */
export type Verdict =
  | { readonly status: 'resolved'; readonly outcome: string; readonly resolutionValue: number }
  | { readonly status: 'void'; readonly reason: 'no_prices' | 'tie' };

/** Thresholds are integer counts of 10^-8 percent. */
const THRESHOLD_PLACES = 8;
const PERCENT = 100n * 10n ** BigInt(THRESHOLD_PLACES);

interface Fraction {
  readonly top: bigint;
  /** Positive. */
  readonly bottom: bigint;
}

export function verdictOf(round: RoundFacts, candles: Candles): Verdict {
  const needed = decidingAssets(round);
  const hour = new Map(needed.map((symbol) => [symbol, candles(symbol, round.hour)]));
  const before = round.type === 'momentum' ? candles(subjectOf(round), round.hour - 1) : undefined;
  if ([...hour.values()].includes(undefined)) return { status: 'void', reason: 'no_prices' };
  if (round.type === 'momentum' && before === undefined) return { status: 'void', reason: 'no_prices' };
  const candle = (symbol: string): HourCandle => found(hour.get(symbol), `the candle of ${symbol}`);
  return isChoice(round) ? choiceVerdict(round, candle) : answer(round, isYes(round, candle, before) ? 'YES' : 'NO');
}

const DECIDED_BY: Record<QuestionType, 'choices' | 'all' | 'subject'> = {
  relative: 'choices',
  best_performer: 'all',
  worst_performer: 'all',
  podium: 'choices',
  volatility: 'choices',
  direction: 'subject',
  threshold: 'subject',
  touch: 'subject',
  magnitude: 'subject',
  range: 'subject',
  momentum: 'subject',
  beat_market: 'all',
  breadth: 'all',
};

/** The assets without whose candles the round has no outcome. */
export function decidingAssets(round: RoundFacts): readonly string[] {
  const who = DECIDED_BY[round.type];
  if (who === 'all') return SYMBOLS;
  return who === 'choices' ? round.choices : [subjectOf(round)];
}

export function isChoice(round: RoundFacts): boolean {
  return ['relative', 'best_performer', 'worst_performer', 'podium', 'volatility'].includes(round.type);
}

function choiceVerdict(round: RoundFacts, candle: (symbol: string) => HourCandle): Verdict {
  const measure = round.type === 'volatility' ? width : gain;
  const sign = round.type === 'worst_performer' ? -1n : 1n;
  const beaten = (one: string, other: string): boolean =>
    sign * difference(measure(candle(one)), measure(candle(other))) < 0n;
  const winners = round.choices.filter((choice) => round.choices.every((other) => !beaten(choice, other)));
  return winners.length === 1 ? answer(round, at(winners, 0)) : { status: 'void', reason: 'tie' };
}

function answer(round: RoundFacts, outcome: string): Verdict {
  const place = round.choices.indexOf(outcome);
  return { status: 'resolved', outcome, resolutionValue: round.choices.length === 2 ? 1 - place : place };
}

function isYes(round: RoundFacts, candle: (symbol: string) => HourCandle, before: HourCandle | undefined): boolean {
  if (round.type === 'breadth') {
    return SYMBOLS.filter((symbol) => candle(symbol).close > candle(symbol).open).length >= Number(round.n);
  }
  const own = candle(subjectOf(round));
  if (round.type === 'direction') return own.close > own.open;
  if (round.type === 'momentum') return signOf(own) === signOf(found(before, 'the hour before'));
  if (round.type === 'beat_market')
    return difference(eightfold(gain(own)), SYMBOLS.map((symbol) => gain(candle(symbol))).reduce(sum)) > 0n;
  return passes(round, own);
}

/** The four types with a threshold: `move / open >= t / 100` becomes `move x PERCENT >= t x open`. */
function passes(round: RoundFacts, own: HourCandle): boolean {
  const limit = scaled(String(round.thresholdPct), THRESHOLD_PLACES) * own.open;
  const reach = (to: bigint): bigint => (to - own.open) * PERCENT;
  if (round.type === 'threshold') return limit < 0n ? reach(own.close) <= limit : reach(own.close) >= limit;
  if (round.type === 'touch') return limit < 0n ? reach(own.low) <= limit : reach(own.high) >= limit;
  if (round.type === 'magnitude') return reach(own.close) >= limit || reach(own.close) <= -limit;
  return reach(own.high) <= limit && reach(own.low) >= -limit;
}

function subjectOf(round: RoundFacts): string {
  return found(round.subject ?? undefined, `the subject of round ${round.id}`);
}

function signOf(candle: HourCandle): number {
  return Number(candle.close > candle.open) - Number(candle.close < candle.open);
}

function gain(candle: HourCandle): Fraction {
  return { top: candle.close - candle.open, bottom: candle.open };
}

function width(candle: HourCandle): Fraction {
  return { top: candle.high - candle.low, bottom: candle.open };
}

/** Has the sign of `one - other`. */
function difference(one: Fraction, other: Fraction): bigint {
  return one.top * other.bottom - other.top * one.bottom;
}

function sum(one: Fraction, other: Fraction): Fraction {
  return { top: one.top * other.bottom + other.top * one.bottom, bottom: one.bottom * other.bottom };
}

function eightfold(one: Fraction): Fraction {
  return { top: one.top * 8n, bottom: one.bottom };
}
