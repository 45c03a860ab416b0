import { byAsset, type ByAsset } from '../assets.ts';
import { type Candle, returnOf } from '../candle.ts';
import { sign } from '../fraction.ts';
import type { ReferenceBasis } from '../grid.ts';
import { addHours } from '../hours.ts';
import { candlesNeeded, type DecidableQuestion } from '../questions/deciding.ts';
import { COVARIANCE_HOURS, covarianceOf, edgesOf } from './covariance.ts';

/** The inputs of a round's references beside prices, from the candles of the week before its hour. */
export function basisOf(
  question: DecidableQuestion,
  hourStart: Date,
  candles: ByAsset<readonly (Candle & { readonly hourStart: Date })[]>,
): ReferenceBasis {
  const from = addHours(hourStart, -COVARIANCE_HOURS);
  const before = addHours(hourStart, -1).getTime();
  const { subject } = question.params;
  const own = subject !== null && candlesNeeded(question).hourBefore ? candles[subject] : [];
  const candle = own.findLast((one) => one.hourStart.getTime() === before);
  return {
    covariance: covarianceOf(byAsset((asset) => edgesOf(candles[asset], from))).flat(),
    signBefore: candle === undefined ? null : sign(returnOf(candle)),
  };
}
