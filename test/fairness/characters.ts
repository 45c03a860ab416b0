import { type Asset, byAsset } from '../../src/rules/assets.ts';
import type { Candle } from '../../src/rules/candle.ts';
import { planOf, questionOf } from '../../src/rules/questions/asking.ts';
import { outcomeOf } from '../../src/rules/questions/deciding.ts';
import type { Question } from '../../src/rules/questions/question.ts';
import { referenceAt } from '../../src/rules/reference/reference.ts';
import { RULES_VERSION } from '../../src/rules/versions.ts';
import { seeded, type Seeded } from '../support/seeded.ts';
import { found, type Hour, type Minutes, momentOf } from './recorded-hours.ts';

export const CHARACTERS = ['insider', 'trend', 'coin', 'sniper', 'copier'] as const;

export type Character = (typeof CHARACTERS)[number];

/** What one character answered in one round. */
export interface Answered {
  readonly character: Character;
  /** Of the hour, at which it was submitted. */
  readonly minute: number;
  readonly pickIndex: number;
  /** Percent. */
  readonly confidence: number;
}

export interface PlayedRound {
  readonly hour: Hour;
  readonly question: Question;
  readonly winner: number;
  readonly answers: readonly Answered[];
}

/** The rounds of these hours, with the questions that the service asks, as the characters play them. */
export function playedRounds(hours: readonly Hour[]): readonly PlayedRound[] {
  const random = seeded(20_230_401);
  return hours.flatMap((hour) => {
    const question = questionOf(planOf(hour.start), hour.start, hour.before.map(candlesOf));
    const outcome = outcomeOf(question, candlesOf(hour.assets), candlesOf(found(hour.before.at(-1))));
    if (outcome.kind !== 'answer') return [];
    const winner = question.choices.indexOf(outcome.answer);
    return [{ hour, question, winner, answers: answersOf({ hour, question, winner, random }) }];
  });
}

interface Playing {
  readonly hour: Hour;
  readonly question: Question;
  readonly winner: number;
  readonly random: Seeded;
}

/** The honest insider says how likely it is right, which it does not know of a single round. */
const INSIDER_KNOWS = 0.6;

/** How often the answer that the prices show at these minutes has been right, by number of choices: what a reader of charts knows. */
const TREND_PCT: Readonly<Record<number, number>> = { 2: 64, 4: 45, 8: 30 };

function answersOf({ hour, question, winner, random }: Playing): readonly Answered[] {
  const k = question.choices.length;
  const guess = (): number => random.between(0, k - 1);
  const insider = {
    character: 'insider',
    minute: 5,
    pickIndex: random.chance(INSIDER_KNOWS) ? winner : guess(),
    confidence: Math.round(100 * (INSIDER_KNOWS + (1 - INSIDER_KNOWS) / k)),
  } as const;
  const coin = { character: 'coin', minute: 0, pickIndex: guess(), confidence: Math.floor(100 / k) } as const;
  const trend = {
    character: 'trend',
    minute: 20,
    pickIndex: shownAt(hour, question, 20),
    confidence: found(TREND_PCT[k]),
  } as const;
  const price = referenceAt(question, momentOf(hour, 57, question.params.subject), RULES_VERSION);
  const surest = Math.max(...price);
  const sniper = {
    character: 'sniper',
    minute: 57,
    pickIndex: price.indexOf(surest),
    confidence: Math.round(100 * surest),
  } as const;
  // The crowd's newest word is what it knows best.
  const copier = { ...sniper, character: 'copier', minute: 58 } as const;
  return [insider, trend, coin, sniper, copier];
}

/** The answer if the hour ended now. */
function shownAt(hour: Hour, question: Question, minute: number): number {
  const { assets } = momentOf(hour, minute, question.params.subject);
  const now = byAsset((asset): Candle => {
    const { openUsd, highUsd, lowUsd, priceUsd } = found(assets[asset]);
    return { open: text(openUsd), high: text(highUsd), low: text(lowUsd), close: text(priceUsd) };
  });
  const outcome = outcomeOf(question, now, candlesOf(found(hour.before.at(-1))));
  return outcome.kind === 'answer' ? question.choices.indexOf(outcome.answer) : 0;
}

function candlesOf(assets: Readonly<Record<Asset, Minutes>>): Readonly<Record<Asset, Candle>> {
  return byAsset((asset) => {
    const { open, closes, highs, lows } = assets[asset];
    const [high, low, close] = [highs, lows, closes].map((list) => text(found(list.at(-1))));
    return { open: text(open), high: found(high), low: found(low), close: found(close) };
  });
}

function text(price: number): string {
  return price.toFixed(8);
}
