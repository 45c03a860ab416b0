import { QUESTION_TYPES, type QuestionType } from '../../src/rules/questions/question.ts';
import { referenceAt } from '../../src/rules/reference/reference.ts';
import { askedOf } from './asked.ts';
import { momentOf, type Hour } from './recorded-hours.ts';

/** A tenth of the scale, of one type in one quarter of the hour. */
export interface Bin {
  readonly type: QuestionType;
  /** From 1 to 4. */
  readonly quarter: number;
  readonly tenth: number;
  n: number;
  said: number;
  happened: number;
}

/** How many questions of an hour are asked, and of each how many hours one is: drawn references cost more. */
const ASKED: Readonly<Record<QuestionType, { readonly limit: number; readonly every: number }>> = {
  relative: { limit: 8, every: 1 },
  best_performer: { limit: 1, every: 2 },
  worst_performer: { limit: 1, every: 2 },
  podium: { limit: 1, every: 1 },
  volatility: { limit: 3, every: 1 },
  direction: { limit: 8, every: 1 },
  threshold: { limit: 8, every: 1 },
  touch: { limit: 8, every: 1 },
  magnitude: { limit: 8, every: 1 },
  range: { limit: 8, every: 1 },
  momentum: { limit: 8, every: 1 },
  beat_market: { limit: 8, every: 1 },
  breadth: { limit: 2, every: 1 },
};

const QUARTERS = [1, 2, 3, 4] as const;

/** What the reference said of each answer that was not settled, against how often it happened. */
export function calibrationTable(hours: readonly Hour[]): readonly Bin[] {
  const bins = new Map<string, Bin>();
  for (const [index, hour] of hours.entries()) {
    for (const type of QUESTION_TYPES) {
      const { limit, every } = ASKED[type];
      if (index % every === 0) for (const quarter of QUARTERS) count(bins, { hour, type, quarter, limit });
    }
  }
  return [...bins.values()];
}

interface Place {
  readonly hour: Hour;
  readonly type: QuestionType;
  readonly quarter: number;
  readonly limit: number;
}

function count(bins: Map<string, Bin>, { hour, type, quarter, limit }: Place): void {
  // The minutes of a quarter in turn, the first and the last of the hour among them.
  const minute = 15 * (quarter - 1) + (((hour.start.getTime() / 3_600_000) * 7) % 15);
  for (const { question, winner } of askedOf(type, hour, limit)) {
    const reference = referenceAt(question, momentOf(hour, minute, question.params.subject));
    if (reference.includes(1)) continue;
    // Of two answers the second says the same again.
    for (const [index, said] of reference.slice(0, reference.length === 2 ? 1 : undefined).entries()) {
      const tenth = Math.min(9, Math.floor(10 * said));
      const key = `${type} ${quarter} ${tenth}`;
      const bin = bins.get(key) ?? { type, quarter, tenth, n: 0, said: 0, happened: 0 };
      bins.set(key, bin);
      bin.n += 1;
      bin.said += said;
      bin.happened += index === winner ? 1 : 0;
    }
  }
}
