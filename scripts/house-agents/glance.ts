import type { Candle } from '../../src/rules/candle.ts';
import { type DecidableQuestion, outcomeOf } from '../../src/rules/questions/deciding.ts';
import type { HistoryHour } from '../../src/rules/questions/question.ts';

/** A house agent's view of a round when it answers. */
export interface Glance {
  readonly roundId: number;
  readonly question: DecidableQuestion;
  /** The hour before the round. */
  readonly before: HistoryHour;
  /** The round's hour so far. */
  readonly soFar: HistoryHour;
  /** The whole hour, for insiders; otherwise null. */
  readonly toCome: HistoryHour | null;
  /** Others' answers so far. */
  readonly entries: readonly string[];
}

/** The winning answer if the hour were this one; null without a winner. */
export function answerIf({ question, before }: Glance, hour: HistoryHour): string | null {
  const outcome = outcomeOf(question, hour, before);
  return outcome.kind === 'answer' ? outcome.answer : null;
}

/** The hour backwards: rises become falls. */
export function reversed(hour: HistoryHour): HistoryHour {
  return Object.fromEntries(Object.entries(hour).map(([asset, candle]) => [asset, turned(candle)]));
}

function turned(candle: Candle): Candle {
  return { ...candle, open: candle.close, close: candle.open };
}

/** As candles write it. */
export function priceText(price: number): string {
  return price.toFixed(8);
}
