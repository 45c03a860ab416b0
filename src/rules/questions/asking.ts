import { type Asset, ASSETS } from '../assets.ts';
import { type AssetScope, QUESTION_TABLE } from './question-table.ts';
import {
  BOOLEAN_CHOICES,
  type Direction,
  type HistoryHour,
  type Plan,
  type Question,
  type QuestionParams,
  type QuestionType,
} from './question.ts';
import { hourNumber } from '../hours.ts';

/** The rotation of types. Types about one asset alternate with the others, so that neighbouring hours differ. */
const ROTATION = [
  'direction',
  'relative',
  'threshold',
  'best_performer',
  'magnitude',
  'volatility',
  'touch',
  'breadth',
  'momentum',
  'podium',
  'range',
  'worst_performer',
  'beat_market',
] as const satisfies readonly QuestionType[];

const PAIRS = groupsOf(2);

const FOURSOMES = groupsOf(4);

interface Turn {
  readonly cycle: number;
  readonly slot: number;
}

export function planOf(hourStart: Date): Plan {
  const hour = hourNumber(hourStart);
  const turn = { cycle: Math.floor(hour / ROTATION.length), slot: hour % ROTATION.length };
  const questionType = pick(ROTATION, turn.slot);
  const row = QUESTION_TABLE[questionType];
  return { questionType, ...CASTS[row.about](turn), direction: directionOf(row.directions, turn) };
}

// Among steps coprime to 28 and 70, these minimize how often an asset is in, or out, in a row.
const CASTS: Readonly<Record<AssetScope, (turn: Turn) => Pick<Plan, 'subject' | 'assets'>>> = {
  pair: (turn) => ({ subject: null, assets: takeTurn(PAIRS, 15, turn) }),
  foursome: (turn) => ({ subject: null, assets: takeTurn(FOURSOMES, 11, turn) }),
  all: () => ({ subject: null, assets: ASSETS }),
  one: (turn) => {
    const subject = takeTurn(ASSETS, 1, turn);
    return { subject, assets: [subject] };
  },
  one_of_all: (turn) => ({ subject: takeTurn(ASSETS, 1, turn), assets: ASSETS }),
};

/**
 * The list's item for this turn. Every `list.length` cycles (a pass) bring each item once, `step` (coprime to the
 * length) apart. Each pass starts one further: 8 cycles are 104 hours, and an asset would otherwise return at the same
 * three hours of the day. Types with one subject have every other slot, each one item further: no asset repeats within
 * 8 hours.
 */
function takeTurn<T>(list: readonly T[], step: number, { cycle, slot }: Turn): T {
  const pass = Math.floor(cycle / list.length);
  return pick(list, ((cycle % list.length) * step + pass + Math.floor(slot / 2)) % list.length);
}

/** Alternates by cycle, so two passes give a subject both directions. A flip every 8 passes lets `up` fall on odd hours too. */
function directionOf(directions: readonly Direction[], { cycle, slot }: Turn): Direction | null {
  if (directions.length === 0) return null;
  const turnedRound = Math.floor(cycle / ASSETS.length ** 2);
  return pick(directions, (cycle + turnedRound + Math.floor(slot / 2)) % directions.length);
}

function groupsOf(size: number, from: readonly Asset[] = ASSETS): readonly (readonly Asset[])[] {
  if (size === 0) return [[]];
  return from.flatMap((first, index) => groupsOf(size - 1, from.slice(index + 1)).map((rest) => [first, ...rest]));
}

function pick<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`there is no item ${index} in a list of ${list.length}`);
  return item;
}

export function historyNeeded(plan: Plan): readonly Asset[] {
  const row = QUESTION_TABLE[plan.questionType];
  return row.format === 'choice' || row.fit === null ? [] : plan.assets;
}

/** `history` has one element per past hour with candles, in any order; with too few, fixed tables set the threshold. */
export function questionOf(plan: Plan, hourStart: Date, history: readonly HistoryHour[]): Question {
  const { questionType, assets } = plan;
  const row = QUESTION_TABLE[questionType];
  const params = paramsOf(plan, history);
  return {
    questionType,
    predictionFormat: row.format,
    question: row.text({ assets, params, hourStart }),
    choices: row.format === 'choice' ? assets : BOOLEAN_CHOICES,
    assets,
    params,
  };
}

function paramsOf(plan: Plan, history: readonly HistoryHour[]): QuestionParams {
  const { questionType, subject, direction } = plan;
  const row = QUESTION_TABLE[questionType];
  const none = { subject, operator: null, thresholdPct: null, n: null };
  if (row.format === 'choice') return none;
  return { ...none, operator: row.operator(direction), ...row.fit?.(plan, history) };
}
