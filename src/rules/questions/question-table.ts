import { type Candle, moveTo, rangeOf, returnOf } from '../candle.ts';
import { absolute, type Fraction } from '../fraction.ts';
import {
  countBound,
  excursionOf,
  type Figure,
  meanReturn,
  risers,
  subjectAbsoluteReturn,
  subjectExcursion,
  subjectReach,
  subjectReturn,
  subjectReturnBefore,
  thresholdBound,
  zeroBound,
} from './evidence.ts';
import { type Direction, DIRECTIONS, type Operator, type QuestionType } from './question.ts';
import { evenCountFit, type Fit, levelFit, USUAL_BREADTH, USUAL_PCT } from './thresholds.ts';
import { allOf, anyOf, count, during, hourBefore, level, signedLevel, subject, type Wording } from './wording.ts';

export type AssetScope = 'pair' | 'foursome' | 'all' | 'one' | 'one_of_all';

interface Row {
  readonly about: AssetScope;
  readonly directions: readonly Direction[];
  readonly text: (wording: Wording) => string;
}

export interface ChoiceRow extends Row {
  readonly format: 'choice';
  readonly figure: (candle: Candle) => Fraction;
  readonly wins: 'highest' | 'lowest';
}

export interface BooleanRow extends Row {
  readonly format: 'boolean';
  readonly operator: (direction: Direction | null) => Operator;
  readonly fit: Fit | null;
  readonly measured: Figure;
  readonly bound: Figure;
  readonly hourBefore: boolean;
}

/** The asset with the highest return wins. */
const choice = { format: 'choice', directions: [], figure: returnOf, wins: 'highest' } as const;
/** About the return of one asset, with a bound that the text states. */
const boolean = {
  format: 'boolean',
  about: 'one',
  directions: [],
  fit: null,
  measured: subjectReturn,
  hourBefore: false,
} as const;
/** The threshold lies in one direction from the start price. */
const directed = {
  ...boolean,
  directions: DIRECTIONS,
  operator: (direction: Direction | null) => (direction === 'down' ? '<=' : '>='),
  bound: thresholdBound,
} as const;

const RETURN = 'Return is close / open - 1 of the one-hour candle';
const TIE = 'a tie for the win voids the round';

export const QUESTION_TABLE: Readonly<Record<QuestionType, ChoiceRow | BooleanRow>> = {
  relative: {
    ...choice,
    about: 'pair',
    text: (w) => `Which has the higher return ${during(w)}: ${anyOf(w.assets)}? (${RETURN}; ${TIE}.)`,
  },
  best_performer: {
    ...choice,
    about: 'all',
    text: (w) => `Which of ${allOf(w.assets)} has the highest return ${during(w)}? (${RETURN}; ${TIE}.)`,
  },
  worst_performer: {
    ...choice,
    about: 'all',
    wins: 'lowest',
    text: (w) => `Which of ${allOf(w.assets)} has the lowest return ${during(w)}? (${RETURN}; ${TIE}.)`,
  },
  podium: {
    ...choice,
    about: 'foursome',
    text: (w) => `Which of these four has the highest return ${during(w)}: ${anyOf(w.assets)}? (${RETURN}; ${TIE}.)`,
  },
  volatility: {
    ...choice,
    about: 'pair',
    figure: rangeOf,
    text: (w) =>
      `Which has the wider price range ${during(w)}: ${anyOf(w.assets)}? (Range is (high - low) / open of the one-hour candle; ${TIE}.)`,
  },
  direction: {
    ...boolean,
    operator: () => '>',
    bound: zeroBound,
    text: (w) =>
      `Does ${subject(w)} end the hour ${during(w)} above its start price (close > open)? (An unchanged price is a NO.)`,
  },
  threshold: {
    ...directed,
    fit: levelFit({ size: absoluteReturn, below: 12, usualPct: USUAL_PCT.threshold }),
    text: (w) =>
      `Is the return of ${subject(w)} ${during(w)} ${signedLevel(w)} or ${byDirection(w, 'lower', 'higher')} (return ${w.params.operator} ${signedLevel(w)})? (${RETURN}; exactly ${signedLevel(w)} is a YES.)`,
  },
  touch: {
    ...directed,
    fit: levelFit({ size: reach, below: 50, usualPct: USUAL_PCT.touch }),
    measured: subjectReach,
    text: (w) =>
      `Does the price of ${subject(w)} touch ${level(w)} ${byDirection(w, 'below', 'above')} its start price at any time ${during(w)} (${byDirection(w, 'low', 'high')} / open - 1 ${w.params.operator} ${signedLevel(w)})? (Touching it exactly is a YES.)`,
  },
  magnitude: {
    ...boolean,
    operator: () => '>=',
    fit: levelFit({ size: absoluteReturn, below: 50, usualPct: USUAL_PCT.magnitude }),
    measured: subjectAbsoluteReturn,
    bound: thresholdBound,
    text: (w) =>
      `Does ${subject(w)} move by ${level(w)} or more, up or down, ${during(w)} (absolute return >= ${level(w)})? (${RETURN}; exactly ${level(w)} is a YES.)`,
  },
  range: {
    ...boolean,
    operator: () => 'within',
    fit: levelFit({ size: excursionOf, below: 50, usualPct: USUAL_PCT.range }),
    measured: subjectExcursion,
    bound: thresholdBound,
    text: (w) =>
      `Does the price of ${subject(w)} stay within +/-${level(w)} of its start price for the whole hour ${during(w)} (high and low both within, the edges included)?`,
  },
  momentum: {
    ...boolean,
    operator: () => 'same_sign',
    bound: subjectReturnBefore,
    hourBefore: true,
    text: (w) =>
      `Does the return of ${subject(w)} ${during(w)} have the same sign as its return in the hour before, ${hourBefore(w)}? (${RETURN}; a zero return has the same sign as another zero only.)`,
  },
  beat_market: {
    ...boolean,
    about: 'one_of_all',
    operator: () => '>',
    bound: meanReturn,
    text: (w) =>
      `Is the return of ${subject(w)} ${during(w)} higher than the mean return of all 8 assets (${allOf(w.assets)}; return > mean)? (${RETURN}; equal to the mean is a NO.)`,
  },
  breadth: {
    ...boolean,
    about: 'all',
    operator: () => '>=',
    fit: evenCountFit(USUAL_BREADTH),
    measured: risers,
    bound: countBound,
    text: (w) =>
      `Do at least ${count(w)} of the 8 assets ${allOf(w.assets)} have a return > 0 ${during(w)} (risers >= ${count(w)})? (${RETURN}; an unchanged price is no rise.)`,
  },
};

function absoluteReturn(candle: Candle): Fraction {
  return absolute(returnOf(candle));
}

function reach(candle: Candle, direction: Direction | null): Fraction {
  return absolute(moveTo(direction === 'down' ? 'low' : 'high', candle));
}

function byDirection({ params }: Wording, down: string, up: string): string {
  return params.operator === '<=' ? down : up;
}
