import type { QuestionType } from '../../src/rules/questions/question.ts';
import { shareLeft } from '../../src/rules/reference/moment.ts';
import { modelAt, referenceAt } from '../../src/rules/reference/reference.ts';
import { isSettled } from '../../src/rules/edge.ts';
import { RULES_VERSION } from '../../src/rules/versions.ts';
import { questionsOf } from './decided-questions.ts';
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
  readonly byHour: Sums;
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

/** The others are open until the hour is over: what the model says of them, the costliest part of all, is worked out once. */
const MAY_BE_SETTLED: ReadonlySet<QuestionType> = new Set(['touch', 'range']);

const QUARTERS = [1, 2, 3, 4] as const;

/** By hour: how many answers of it fell into a bin, and the sum of said less happened. */
type Sums = Map<number, Missed>;

interface Missed {
  readonly n: number;
  readonly missed: number;
}

/** A question at a moment, not settled: what the model gives its answers, and the one that won. */
export interface Case {
  /** Hours since 1970. */
  readonly turn: number;
  /** 2021-03. */
  readonly month: string;
  readonly quarter: number;
  /** The share of the hour that is left. */
  readonly left: number;
  readonly model: readonly number[];
  readonly winner: number;
}

/** The cases of a type in hours of whole 5 minutes: of each quarter its three moments in turn, the hour's first among them. */
export function casesOf(type: QuestionType, hours: readonly Hour[]): readonly Case[] {
  return hours.flatMap((hour) => {
    const turn = hour.start.getTime() / 3_600_000;
    const month = hour.start.toISOString().slice(0, 7);
    return questionsOf(type, hour, ASKED[type]).flatMap(({ question, winner }) =>
      QUARTERS.flatMap((quarter) => {
        const moment = momentOf(hour, 15 * (quarter - 1) + 5 * (turn % 3), question.params.subject);
        if (MAY_BE_SETTLED.has(type) && isSettled(referenceAt(question, moment, RULES_VERSION))) return [];
        const situation = { question, moment };
        return [{ turn, month, quarter, left: shareLeft(situation), model: modelAt(situation), winner }];
      }),
    );
  });
}

/** What is said of each answer of a type's cases, against how often it happened. */
export function binsOf(
  type: QuestionType,
  cases: readonly Case[],
  saidOf: (one: Case) => readonly number[],
): readonly Bin[] {
  const bins = new Map<string, { quarter: number; tenth: number; byHour: Sums }>();
  for (const one of cases) {
    const probabilities = saidOf(one);
    // Of two answers the second says the same again.
    for (const [index, chance] of probabilities.slice(0, probabilities.length === 2 ? 1 : undefined).entries()) {
      const [quarter, tenth] = [one.quarter, Math.min(9, Math.floor(10 * chance))];
      const bin = bins.get(`${quarter} ${tenth}`) ?? { quarter, tenth, byHour: new Map<number, Missed>() };
      bins.set(`${quarter} ${tenth}`, bin);
      const { n, missed } = bin.byHour.get(one.turn) ?? { n: 0, missed: 0 };
      bin.byHour.set(one.turn, { n: n + 1, missed: missed + chance - Number(index === one.winner) });
    }
  }
  return [...bins.values()]
    .map((bin) => ({ type, ...bin, ...gapOf([...bin.byHour.values()]) }))
    .toSorted((one, other) => one.quarter - other.quarter || one.tenth - other.tenth);
}

function gapOf(hours: readonly Missed[]) {
  const n = hours.reduce((sum, hour) => sum + hour.n, 0);
  const gap = hours.reduce((sum, hour) => sum + hour.missed, 0) / n;
  const squares = hours.reduce((sum, hour) => sum + (hour.missed - gap * hour.n) ** 2, 0);
  return { n, hours: hours.length, gap, error: Math.sqrt(squares) / n };
}

/**
 * How many of the bins a reference without any error would show beyond `reach`, in each of `draws`: what each hour adds to
 * a bin, less the bin's own gap, with a sign by chance, which is one for all bins since the answers of an hour go together.
 */
export function farByChance(
  bins: readonly Bin[],
  { reach, draws, uniform }: { readonly reach: number; readonly draws: number; readonly uniform: () => number },
): readonly number[] {
  const turns = [...new Set(bins.flatMap(({ byHour }) => [...byHour.keys()]))];
  const places = new Map(turns.map((turn, place) => [turn, place]));
  const parts = bins.map(({ byHour, gap, n }) =>
    [...byHour].map(([turn, sum]): [number, number] => [places.get(turn) ?? 0, (sum.missed - gap * sum.n) / n]),
  );
  return Array.from({ length: draws }, () => {
    const signs = turns.map(() => (uniform() < 0.5 ? -1 : 1));
    const gaps = parts.map((part) => part.reduce((gap, [place, missed]) => gap + (signs[place] ?? 0) * missed, 0));
    return gaps.filter((gap) => Math.abs(gap) > reach).length;
  });
}
