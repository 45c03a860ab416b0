import type { Candle } from '../../src/rules/candle.ts';
import { type Decidable, outcomeOf } from '../../src/rules/questions/deciding.ts';
import type { HistoryHour } from '../../src/rules/questions/question.ts';

/** What a house agent sees of a round when it answers. */
export interface Glance {
  readonly roundId: number;
  readonly question: Decidable;
  /** The hour before the round. */
  readonly before: HistoryHour;
  /** The round's hour as far as it has come. */
  readonly soFar: HistoryHour;
  /** The whole hour, as only an insider can know it; null where nobody does. */
  readonly toCome: HistoryHour | null;
  /** What others have answered so far. */
  readonly entries: readonly string[];
}

/** The answer that would win if the hour were this one; null where nobody would. */
export function answerIf({ question, before }: Glance, hour: HistoryHour): string | null {
  const outcome = outcomeOf(question, hour, before);
  return outcome.kind === 'answer' ? outcome.answer : null;
}

/** The same hour run backwards: what rose has fallen. */
export function reversed(hour: HistoryHour): HistoryHour {
  return Object.fromEntries(Object.entries(hour).map(([asset, candle]) => [asset, turned(candle)]));
}

function turned(candle: Candle): Candle {
  return { ...candle, open: candle.close, close: candle.open };
}

/** A price as candles write it. */
export function priceText(price: number): string {
  return price.toFixed(8);
}
