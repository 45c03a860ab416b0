import type { Asset } from '../assets.ts';
import type { Candle } from '../candle.ts';

/** What a round can ask, in the order of decisions.md. */
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

/** How a round is answered: one of its choices, or `YES` or `NO` (spec section 1). */
export const PREDICTION_FORMATS = ['choice', 'boolean'] as const;

export type PredictionFormat = (typeof PREDICTION_FORMATS)[number];

export const BOOLEAN_CHOICES = ['YES', 'NO'] as const;

/** How a boolean question compares its measured value with its bound. */
export const OPERATORS = ['>', '>=', '<=', 'within', 'same_sign'] as const;

export type Operator = (typeof OPERATORS)[number];

/** The sense of a question that can ask for a rise or for a fall. */
export const DIRECTIONS = ['up', 'down'] as const;

export type Direction = (typeof DIRECTIONS)[number];

/** The question in structured form; null where its type has no such part. */
export interface QuestionParams {
  readonly subject: Asset | null;
  readonly operator: Operator | null;
  /** Signed percent of the start price, a decimal such as `"-0.35"`. */
  readonly thresholdPct: string | null;
  /** How many of the 8 assets, for `breadth`. */
  readonly n: number | null;
}

export interface Question {
  readonly questionType: QuestionType;
  readonly predictionFormat: PredictionFormat;
  readonly question: string;
  readonly choices: readonly string[];
  /** Every asset whose candle decides. */
  readonly assets: readonly Asset[];
  readonly params: QuestionParams;
}

/** What an hour asks about, before anything is known of prices. */
export interface Plan {
  readonly questionType: QuestionType;
  readonly subject: Asset | null;
  readonly assets: readonly Asset[];
  readonly direction: Direction | null;
}

/** The candles of one hour; an asset without a usable one is absent. */
export type HistoryHour = Readonly<Partial<Record<Asset, Candle>>>;
