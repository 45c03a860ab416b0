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
  readonly n: number;
  /** Distinct hours: answers of one hour are right or wrong together. */
  readonly hours: number;
  /** Mean of what was said less the share that happened. */
  readonly gap: number;
  /** The standard error of `gap`, hours being independent of each other. */
  readonly error: number;
}

/** How many questions of an hour are asked: drawn references cost more. */
const ASKED: Readonly<Record<QuestionType, number>> = {
  relative: 8,
  best_performer: 1,
  worst_performer: 1,
  podium: 1,
  volatility: 2,
  direction: 8,
  threshold: 8,
  touch: 8,
  magnitude: 8,
  range: 8,
  momentum: 8,
  beat_market: 8,
  breadth: 2,
};

const QUARTERS = [1, 2, 3, 4] as const;

/** By hour: how many answers of it fell into a bin, and the sum of said less happened. */
type Sums = Map<number, { n: number; missed: number }>;

/** What the reference said of each answer that was not settled, against how often it happened; hours of whole 5 minutes. */
export function calibrationTable(hours: readonly Hour[]): readonly Bin[] {
  const bins = new Map<string, Sums>();
  for (const hour of hours) {
    for (const type of QUESTION_TYPES) for (const quarter of QUARTERS) count(bins, { hour, type, quarter });
  }
  return QUESTION_TYPES.flatMap((type) =>
    QUARTERS.flatMap((quarter) =>
      Array.from({ length: 10 }, (_, tenth) => tenth).flatMap((tenth) => {
        const sums = bins.get(`${type} ${quarter} ${tenth}`);
        return sums === undefined ? [] : [{ type, quarter, tenth, ...gapOf([...sums.values()]) }];
      }),
    ),
  );
}

function gapOf(hours: readonly { readonly n: number; readonly missed: number }[]) {
  const n = hours.reduce((sum, hour) => sum + hour.n, 0);
  const gap = hours.reduce((sum, hour) => sum + hour.missed, 0) / n;
  const squares = hours.reduce((sum, hour) => sum + (hour.missed - gap * hour.n) ** 2, 0);
  return { n, hours: hours.length, gap, error: Math.sqrt(squares) / n };
}

interface Place {
  readonly hour: Hour;
  readonly type: QuestionType;
  readonly quarter: number;
}

function count(bins: Map<string, Sums>, { hour, type, quarter }: Place): void {
  const turn = hour.start.getTime() / 3_600_000;
  // The three moments of a quarter in turn, the first of the hour among them.
  const minute = 15 * (quarter - 1) + 5 * (turn % 3);
  for (const { question, winner } of askedOf(type, hour, ASKED[type])) {
    const reference = referenceAt(question, momentOf(hour, minute, question.params.subject));
    if (reference.includes(1)) continue;
    // Of two answers the second says the same again.
    for (const [index, said] of reference.slice(0, reference.length === 2 ? 1 : undefined).entries()) {
      const key = `${type} ${quarter} ${Math.min(9, Math.floor(10 * said))}`;
      const sums: Sums = bins.get(key) ?? new Map<number, { n: number; missed: number }>();
      bins.set(key, sums);
      const sum = sums.get(turn) ?? { n: 0, missed: 0 };
      sums.set(turn, { n: sum.n + 1, missed: sum.missed + said - Number(index === winner) });
    }
  }
}
