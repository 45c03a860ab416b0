import { exp } from '../statistics/elementary.ts';
import { lowerTriangle } from './covariance.ts';
import { DRAWS, ROW_LENGTH } from './draws.ts';
import { moveSoFar, seen, shareLeft, type AssetSoFar, type Situation } from './moment.ts';
import { factorsOf } from './volatility-factors.ts';

/** The share of draws in which each asset of the question has the highest return at the end, or the lowest. */
export function winnerShares(situation: Situation, wins: 'highest' | 'lowest'): readonly number[] {
  const { assets } = situation.question;
  const better = wins === 'highest' ? 1 : -1;
  const counts = assets.map(() => 0);
  for (const returns of drawnReturns(situation)) {
    let best = 0;
    for (let place = 1; place < returns.length; place += 1) {
      if (better * ((returns[place] ?? 0) - (returns[best] ?? 0)) > 0) best = place;
    }
    counts[best] = (counts[best] ?? 0) + 1;
  }
  return counts.map((count) => count / DRAWS.length);
}

/** The share of draws in which at least `least` of the question's assets end above their start price. */
export function risersShare(situation: Situation, least: number): number {
  let held = 0;
  for (const returns of drawnReturns(situation)) {
    let risers = 0;
    for (const value of returns) if (value > 0) risers += 1;
    if (risers >= least) held += 1;
  }
  return held / DRAWS.length;
}

/** Log returns of the whole hour, one list for each draw, in the order of the question's assets; one array, used anew. */
function* drawnReturns(situation: Situation): Generator<readonly number[]> {
  const { assets } = situation.question;
  const moves = assets.map((asset) => moveSoFar(situation, asset));
  const triangle = lowerTriangle(assets, situation.moment.covariance);
  const scale = Math.sqrt(shareLeft(situation));
  const factors = factorsOf(situation, assets);
  const returns = assets.map(() => 0);
  for (const [index, draw] of DRAWS.entries()) {
    const wide = scale * factorOf(factors, index);
    for (const [place, row] of triangle.entries()) {
      let gain = 0;
      for (let column = 0; column < row.length; column += 1) gain += (row[column] ?? 0) * (draw[column] ?? 0);
      returns[place] = (moves[place] ?? 0) + wide * gain;
    }
    yield returns;
  }
}

/**
 * Extremes of a walk that is seen at m points lie this many step deviations inside those of the walk itself
 * (Broadie, Glasserman and Kou, A Continuity Correction for Discrete Barrier Options, 1997).
 */
const CONTINUITY = 0.5826;

/** The share of draws in which the first of two assets has the wider range; how wild each becomes is its own matter. */
export function widerShare(situation: Situation): number {
  const [first, second] = situation.question.assets;
  if (first === undefined || second === undefined) throw new RangeError('a question of ranges must have two assets');
  const [[own = 0] = [], [shared = 0, rest = 0] = []] = lowerTriangle([first, second], situation.moment.covariance);
  const scale = Math.sqrt(shareLeft(situation) / ROW_LENGTH);
  const [factors, otherFactors] = [factorsOf(situation, [first]), factorsOf(situation, [second])];
  const [one, other] = [seen(situation, first), seen(situation, second)];
  let wider = 0;
  for (const [index, left] of DRAWS.entries()) {
    const right = DRAWS[(index + DRAWS.length / 2) % DRAWS.length] ?? [];
    const width = scale * factorOf(factors, index);
    const otherWidth = scale * factorOf(otherFactors, Math.floor(index / otherFactors.length));
    const steps = left.map((value) => width * own * value);
    const others = left.map((value, step) => otherWidth * (shared * value + rest * (right[step] ?? 0)));
    const reach = otherWidth * Math.sqrt(shared * shared + rest * rest);
    if (rangeOfWalk(one, steps, width * own) > rangeOfWalk(other, others, reach)) wider += 1;
  }
  return wider / DRAWS.length;
}

/** (high - low) / open when the rest of the hour takes these steps of log returns, each of this deviation. */
function rangeOfWalk(soFar: AssetSoFar, steps: readonly number[], deviation: number): number {
  let [move, top, bottom] = [0, 0, 0];
  for (const step of steps) {
    move += step;
    if (move > top) top = move;
    if (move < bottom) bottom = move;
  }
  const high = Math.max(soFar.highUsd, soFar.priceUsd * exp(top + CONTINUITY * deviation));
  const low = Math.min(soFar.lowUsd, soFar.priceUsd * exp(bottom - CONTINUITY * deviation));
  return (high - low) / soFar.openUsd;
}

/** A draw and its mirror image are as wild as each other. */
function factorOf(factors: readonly number[], index: number): number {
  return factors[Math.floor(index / 2) % factors.length] ?? 1;
}
