import type { Asset } from '../assets.ts';
import { moveTo, returnOf, type Candle } from '../candle.ts';
import { absolute, compare, divide, fraction, parseDecimal, sign, sum, ZERO, type Fraction } from '../fraction.ts';
import type { HistoryHour, Question } from './question.ts';
import { stated } from './wording.ts';

export interface Evidence extends Pick<Question, 'assets' | 'params'> {
  readonly candles: HistoryHour;
  readonly before: HistoryHour;
}

/** A compared value or its bound; returns are fractions: 0.01 is 1 %. */
export type Figure = (evidence: Evidence) => Fraction;

export const subjectReturn: Figure = (evidence) => returnOf(subjectCandle(evidence, evidence.candles));

export const subjectReturnBefore: Figure = (evidence) => returnOf(subjectCandle(evidence, evidence.before));

export const subjectAbsoluteReturn: Figure = (evidence) => absolute(subjectReturn(evidence));

export const subjectReach: Figure = (evidence) =>
  moveTo(sign(thresholdBound(evidence)) < 0 ? 'low' : 'high', subjectCandle(evidence, evidence.candles));

export const subjectExcursion: Figure = (evidence) => excursionOf(subjectCandle(evidence, evidence.candles));

export const meanReturn: Figure = ({ assets, candles }) =>
  divide(sum(assets.map((asset) => returnOf(candleOf(candles, asset)))), fraction(assets.length));

export const risers: Figure = ({ assets, candles }) => fraction(riserCount(assets, candles));

export const zeroBound: Figure = () => ZERO;

export const thresholdBound: Figure = ({ params }) =>
  divide(parseDecimal(stated(params.thresholdPct, 'threshold')), fraction(100));

export const countBound: Figure = ({ params }) => fraction(stated(params.n, 'n'));

export function excursionOf(candle: Candle): Fraction {
  const [up, down] = [absolute(moveTo('high', candle)), absolute(moveTo('low', candle))];
  return compare(up, down) < 0 ? down : up;
}

export function riserCount(assets: readonly Asset[], candles: HistoryHour): number {
  return assets.filter((asset) => sign(returnOf(candleOf(candles, asset))) > 0).length;
}

export function candleOf(candles: HistoryHour, asset: Asset): Candle {
  const candle = candles[asset];
  if (candle === undefined) throw new TypeError(`the hour has no candle of ${asset}`);
  return candle;
}

function subjectCandle({ params }: Evidence, candles: HistoryHour): Candle {
  return candleOf(candles, stated(params.subject, 'subject'));
}
