import type { Asset } from '../assets.ts';
import { absolute, compare, sign, type Fraction } from '../fraction.ts';
import type { VoidReason } from '../round-states.ts';
import { candleOf } from './evidence.ts';
import { QUESTION_TABLE, type BooleanRow, type ChoiceRow } from './question-table.ts';
import { type HistoryHour, indexOf, type Operator, type Question } from './question.ts';
import { stated } from './wording.ts';

export type Outcome =
  | { readonly kind: 'answer'; readonly answer: string }
  | { readonly kind: 'void'; readonly reason: VoidReason };

export type DecidableQuestion = Pick<Question, 'questionType' | 'choices' | 'assets' | 'params'>;

/** The operators, on exact values: true makes the answer YES. */
const HOLDS: Readonly<Record<Operator, (measured: Fraction, bound: Fraction) => boolean>> = {
  '>': (measured, bound) => compare(measured, bound) > 0,
  '>=': (measured, bound) => compare(measured, bound) >= 0,
  '<=': (measured, bound) => compare(measured, bound) <= 0,
  within: (measured, bound) => compare(absolute(measured), bound) <= 0,
  same_sign: (measured, bound) => sign(measured) === sign(bound),
};

export function candlesNeeded(question: Pick<Question, 'questionType' | 'assets'>): {
  readonly assets: readonly Asset[];
  readonly hourBefore: boolean;
} {
  const row = QUESTION_TABLE[question.questionType];
  return { assets: question.assets, hourBefore: row.format === 'boolean' && row.hourBefore };
}

/** A missing candle voids the round (`no_prices`), and so do two winners of a choice question (`tie`). */
export function outcomeOf(question: DecidableQuestion, candles: HistoryHour, before: HistoryHour): Outcome {
  const { assets, hourBefore } = candlesNeeded(question);
  const hours = hourBefore ? [candles, before] : [candles];
  if (hours.some((hour) => assets.some((asset) => hour[asset] === undefined)))
    return { kind: 'void', reason: 'no_prices' };
  const row = QUESTION_TABLE[question.questionType];
  return row.format === 'choice' ? winnerOf(row, question, candles) : verdictOf(row, question, candles, before);
}

/** 1 for YES or the first of two choices, 0 for the other; the index with more choices. */
export function resolutionValue(question: Pick<Question, 'choices'>, answer: string): number {
  const index = indexOf(answer, question.choices);
  return question.choices.length === 2 ? 1 - index : index;
}

function winnerOf({ figure, wins }: ChoiceRow, { assets }: DecidableQuestion, candles: HistoryHour): Outcome {
  const better = wins === 'highest' ? 1 : -1;
  const figures = assets.map((asset) => ({ asset, value: figure(candleOf(candles, asset)) }));
  const [winner, ...others] = figures.filter(({ value }) =>
    figures.every((rival) => compare(value, rival.value) !== -better),
  );
  if (winner === undefined) throw new RangeError('A choice question must have assets (got none)');
  return others.length > 0 ? { kind: 'void', reason: 'tie' } : { kind: 'answer', answer: winner.asset };
}

function verdictOf(row: BooleanRow, question: DecidableQuestion, candles: HistoryHour, before: HistoryHour): Outcome {
  const evidence = { assets: question.assets, params: question.params, candles, before };
  const holds = HOLDS[stated(question.params.operator, 'operator')];
  return { kind: 'answer', answer: holds(row.measured(evidence), row.bound(evidence)) ? 'YES' : 'NO' };
}
