import type { Asset } from '../assets.ts';
import type { Candle } from '../candle.ts';

export const QUESTION_TYPES = [
  'relative',
  'best_performer',
  'worst_performer',
  'podium',
  'volatility',
  'direction',
  'threshold',
  'touch',
  'magnitude',
  'range',
  'momentum',
  'beat_market',
  'breadth',
] as const;

export type QuestionType = (typeof QUESTION_TYPES)[number];

export const PREDICTION_FORMATS = ['choice', 'boolean'] as const;

export type PredictionFormat = (typeof PREDICTION_FORMATS)[number];

export const BOOLEAN_CHOICES = ['YES', 'NO'] as const;

export const OPERATORS = ['>', '>=', '<=', 'within', 'same_sign'] as const;

export type Operator = (typeof OPERATORS)[number];

export const DIRECTIONS = ['up', 'down'] as const;

export type Direction = (typeof DIRECTIONS)[number];

export interface QuestionParams {
  readonly subject: Asset | null;
  readonly operator: Operator | null;
  /** Signed percent of the start price, a decimal such as `"-0.35"`. */
  readonly thresholdPct: string | null;
  readonly n: number | null;
}

export interface Question {
  readonly questionType: QuestionType;
  readonly predictionFormat: PredictionFormat;
  readonly question: string;
  readonly choices: readonly string[];
  readonly assets: readonly Asset[];
  readonly params: QuestionParams;
}

export interface Plan {
  readonly questionType: QuestionType;
  readonly subject: Asset | null;
  readonly assets: readonly Asset[];
  readonly direction: Direction | null;
}

/** The candles of one hour; assets without a usable one are absent. */
export type HistoryHour = Readonly<Partial<Record<Asset, Candle>>>;

/** The index of an answer among the choices. Throws `RangeError` for another text. */
export function indexOf(answer: string, choices: readonly string[]): number {
  const index = choices.indexOf(answer);
  if (index === -1) throw new RangeError(`${JSON.stringify(answer)} is none of ${JSON.stringify(choices)}`);
  return index;
}
