import { ASSETS, type Asset } from '../../src/rules/assets.ts';
import type { DecidableQuestion } from '../../src/rules/questions/deciding.ts';
import { BOOLEAN_CHOICES, type Operator, type QuestionType } from '../../src/rules/questions/question.ts';
import { found, returnOf, signOf, type Hour, type Minutes } from './recorded-hours.ts';

/** A question of a recorded hour, and the place of the choice that won, worked out apart from `src`. */
export interface DecidedQuestion {
  readonly question: DecidableQuestion;
  readonly winner: number;
}

/** The hour's questions of a type, up to `limit` of them: subjects, pairs and foursomes turn with the hour. */
export function questionsOf(type: QuestionType, hour: Hour, limit: number): readonly DecidedQuestion[] {
  const turn = Math.floor(hour.start.getTime() / 3_600_000);
  return ASSETS.slice(0, limit).map((_, index) => ASKING[type](hour, turn + index));
}

type Asking = (hour: Hour, turn: number) => DecidedQuestion;

const ASKING: Readonly<Record<QuestionType, Asking>> = {
  relative: (hour, turn) => choice('relative', groupOf(turn, 2), (asset) => returnOf(hour.assets[asset])),
  best_performer: (hour) => choice('best_performer', ASSETS, (asset) => returnOf(hour.assets[asset])),
  worst_performer: (hour) => choice('worst_performer', ASSETS, (asset) => -returnOf(hour.assets[asset])),
  podium: (hour, turn) => choice('podium', groupOf(turn, 4), (asset) => returnOf(hour.assets[asset])),
  volatility: (hour, turn) => choice('volatility', groupOf(turn, 2), (asset) => widthOf(hour.assets[asset])),
  direction: (hour, turn) => ofSubject('direction', turn, (asset) => returnOf(hour.assets[asset]) > 0),
  threshold: (hour, turn) => {
    const sign = turn % 16 < 8 ? 1 : -1;
    const bound = sign * levelOf(hour, turn, { below: 0.12, size: (one) => Math.abs(returnOf(one)) });
    const operator = sign > 0 ? '>=' : '<=';
    const holds = (asset: Asset): boolean => sign * (returnOf(hour.assets[asset]) - bound) >= 0;
    return ofSubject('threshold', turn, holds, { operator, bound });
  },
  touch: (hour, turn) => {
    const sign = turn % 16 < 8 ? 1 : -1;
    const reach = (one: Minutes): number => Math.abs(sign > 0 ? highOf(one) : lowOf(one));
    const bound = sign * levelOf(hour, turn, { below: 0.5, size: reach });
    const operator = sign > 0 ? '>=' : '<=';
    return ofSubject('touch', turn, (asset) => reach(hour.assets[asset]) >= Math.abs(bound), { operator, bound });
  },
  magnitude: (hour, turn) => {
    const bound = levelOf(hour, turn, { below: 0.5, size: (one) => Math.abs(returnOf(one)) });
    const holds = (asset: Asset): boolean => Math.abs(returnOf(hour.assets[asset])) >= bound;
    return ofSubject('magnitude', turn, holds, { operator: '>=', bound });
  },
  range: (hour, turn) => {
    const bound = levelOf(hour, turn, { below: 0.5, size: excursion });
    return ofSubject('range', turn, (asset) => excursion(hour.assets[asset]) <= bound, { operator: 'within', bound });
  },
  momentum: (hour, turn) =>
    ofSubject('momentum', turn, (asset) => {
      const before = found(hour.before.at(-1))[asset];
      return signOf(returnOf(hour.assets[asset])) === signOf(returnOf(before));
    }),
  beat_market: (hour, turn) => {
    const mean = ASSETS.reduce((sum, asset) => sum + returnOf(hour.assets[asset]), 0) / ASSETS.length;
    const decided = ofSubject('beat_market', turn, (asset) => returnOf(hour.assets[asset]) > mean);
    return { ...decided, question: { ...decided.question, assets: ASSETS } };
  },
  breadth: (hour, turn) => {
    const n = 3 + (turn % 3);
    const risers = ASSETS.filter((asset) => returnOf(hour.assets[asset]) > 0).length;
    return boolean({ questionType: 'breadth', assets: ASSETS, subject: null, n }, risers >= n);
  },
};

function choice(
  questionType: QuestionType,
  assets: readonly Asset[],
  figure: (asset: Asset) => number,
): DecidedQuestion {
  const best = assets.reduce((one, other) => (figure(other) > figure(one) ? other : one));
  const params = { subject: null, operator: null, thresholdPct: null, n: null };
  return { question: { questionType, choices: assets, assets, params }, winner: assets.indexOf(best) };
}

interface Bound {
  readonly operator: Operator;
  /** As a fraction of the start price. */
  readonly bound: number;
}

function ofSubject(
  questionType: QuestionType,
  turn: number,
  ...[holds, bound]: [(asset: Asset) => boolean, Bound?]
): DecidedQuestion {
  const subject = subjectOf(turn);
  return boolean({ questionType, assets: [subject], subject, n: null, ...bound }, holds(subject));
}

interface Parts extends Partial<Bound> {
  readonly questionType: QuestionType;
  readonly assets: readonly Asset[];
  readonly subject: Asset | null;
  readonly n: number | null;
}

function boolean({ questionType, assets, subject, n, operator = '>', bound }: Parts, holds: boolean): DecidedQuestion {
  const thresholdPct = bound === undefined ? null : String(100 * bound);
  const params = { subject, operator, thresholdPct, n };
  return { question: { questionType, choices: BOOLEAN_CHOICES, assets, params }, winner: holds ? 0 : 1 };
}

function subjectOf(turn: number): Asset {
  return found(ASSETS[turn % ASSETS.length]);
}

/** Neighbours on a circle of the assets, one, two or three places apart. */
function groupOf(turn: number, size: number): readonly Asset[] {
  const step = 1 + (Math.floor(turn / ASSETS.length) % 3);
  const places = Array.from(
    { length: size },
    (_, index) => (turn + (size === 4 ? index : index * step)) % ASSETS.length,
  );
  return ASSETS.filter((_, place) => places.includes(place));
}

interface Level {
  /** The share of past hours whose size is to lie below it. */
  readonly below: number;
  readonly size: (minutes: Minutes) => number;
}

/** A threshold as `thresholds.ts` sets it, but for the rounding. */
function levelOf({ before }: Hour, turn: number, { below, size }: Level): number {
  const sizes = Float64Array.from(before, (past) => size(past[subjectOf(turn)])).toSorted();
  return found(sizes[Math.floor(sizes.length * below)]);
}

function highOf({ open, highs }: Minutes): number {
  return found(highs.at(-1)) / open - 1;
}

function lowOf({ open, lows }: Minutes): number {
  return found(lows.at(-1)) / open - 1;
}

function excursion(minutes: Minutes): number {
  return Math.max(Math.abs(highOf(minutes)), Math.abs(lowOf(minutes)));
}

function widthOf(minutes: Minutes): number {
  return highOf(minutes) - lowOf(minutes);
}
