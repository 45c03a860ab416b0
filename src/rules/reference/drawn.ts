import { ln, uniforms } from '../statistics/special-functions.ts';
import { lowerTriangle } from './covariance.ts';
import {
  type AssetSoFar,
  assetSoFar,
  factorPairs,
  factorsOf,
  moveSoFar,
  type QuestionMoment,
  varianceLeft,
} from './moment.ts';

export function winnerShares(situation: QuestionMoment, wins: 'highest' | 'lowest'): readonly number[] {
  const better = wins === 'highest' ? 1 : -1;
  const counts = new Float64Array(situation.question.assets.length);
  eachDraw(situation, (returns) => {
    let best = 0;
    for (let index = 1; index < returns.length; index += 1) {
      if (better * ((returns[index] ?? 0) - (returns[best] ?? 0)) > 0) best = index;
    }
    counts[best] = (counts[best] ?? 0) + 1;
  });
  return Array.from(counts, (count) => count / (2 * ROWS));
}

export function risersShare(situation: QuestionMoment, least: number): number {
  let hits = 0;
  eachDraw(situation, (returns) => {
    let risers = 0;
    for (let index = 0; index < returns.length; index += 1) if ((returns[index] ?? 0) > 0) risers += 1;
    if (risers >= least) hits += 1;
  });
  return hits / (2 * ROWS);
}

/** Calls `visit` with the whole hour's log returns of each draw, in the order of the assets; the array is reused. */
function eachDraw(situation: QuestionMoment, visit: (returns: Float64Array) => void): void {
  const { assets } = situation.question;
  const moves = assets.map((asset) => moveSoFar(situation, asset));
  const factors = factorsOf(situation, assets);
  const triangle = lowerTriangle(assets, situation.moment.covariance);
  const scale = Math.sqrt(varianceLeft(situation));
  const [gains, returns] = [new Float64Array(assets.length), new Float64Array(assets.length)];
  for (let row = 0; row < ROWS; row += 1) {
    const wide = scale * (factors[row % factors.length] ?? 1);
    gainsOf(triangle, row, gains);
    // Each draw is paired with its mirror image, so that up and down are symmetric.
    for (const sign of [wide, -wide]) {
      for (let index = 0; index < returns.length; index += 1) {
        returns[index] = (moves[index] ?? 0) + sign * (gains[index] ?? 0);
      }
      visit(returns);
    }
  }
}

function gainsOf(triangle: readonly (readonly number[])[], row: number, gains: Float64Array): void {
  for (let index = 0; index < gains.length; index += 1) {
    const weights = triangle[index] ?? [];
    let gain = 0;
    for (let column = 0; column <= index; column += 1) {
      gain += (weights[column] ?? 0) * (DRAWS[row * ROW_LENGTH + column] ?? 0);
    }
    gains[index] = gain;
  }
}

/** Broadie, Glasserman and Kou (A Continuity Correction for Discrete Barrier Options, 1997), in step deviations. */
const CONTINUITY = 0.5826;

export function widerShare(situation: QuestionMoment): number {
  const [first, second] = situation.question.assets;
  if (first === undefined || second === undefined) throw new RangeError('a question of ranges must have two assets');
  const [[own = 0] = [], [shared = 0, rest = 0] = []] = lowerTriangle([first, second], situation.moment.covariance);
  const pairs = factorPairs(situation, first, second);
  const [one, other] = [assetSoFar(situation, first), assetSoFar(situation, second)];
  const scale = Math.sqrt(varianceLeft(situation) / ROW_LENGTH);
  let wider = 0;
  for (let row = 0; row < ROWS; row += 1) {
    const [factor, otherFactor] = pairs[row % pairs.length] ?? [1, 1];
    const [width, otherWidth] = [scale * factor, scale * otherFactor];
    for (const sign of [1, -1]) {
      const range = rangeOfWalk(one, { row, first: sign * width * own, second: 0 });
      const otherRange = rangeOfWalk(other, { row, first: sign * otherWidth * shared, second: otherWidth * rest });
      if (range > otherRange) wider += 1;
    }
  }
  return wider / (2 * ROWS);
}

function rangeOfWalk(soFar: AssetSoFar, steps: { row: number; first: number; second: number }): number {
  const { row, first, second } = steps;
  const [start, partner] = [row * ROW_LENGTH, ((row + ROWS / 2) % ROWS) * ROW_LENGTH];
  let [move, top, bottom] = [0, 0, 0];
  for (let step = 0; step < ROW_LENGTH; step += 1) {
    move += first * (DRAWS[start + step] ?? 0) + second * (DRAWS[partner + step] ?? 0);
    if (move > top) top = move;
    if (move < bottom) bottom = move;
  }
  const beyond = CONTINUITY * Math.sqrt(first * first + second * second);
  const high = Math.max(soFar.highUsd, soFar.priceUsd * growth(top + beyond));
  const low = Math.min(soFar.lowUsd, soFar.priceUsd * growth(bottom - beyond));
  return (high - low) / soFar.openUsd;
}

/** exp to the second order: hourly moves are small, and this is the innermost step. */
function growth(move: number): number {
  return 1 + move * (1 + move / 2);
}

/** Rows of standard normals; each is used again with the signs flipped. */
export const ROWS = 1024;

const ROW_LENGTH = 8;

const SEED = 0x68_63_31_31;

/** Common random numbers, of + - * /, Math.imul and Math.sqrt alone: anyone can recompute a reference. */
export const DRAWS: Readonly<Float64Array> = drawsOf(SEED);

function drawsOf(seed: number): Float64Array {
  const next = uniforms(seed);
  const draws = new Float64Array(ROWS * ROW_LENGTH);
  for (let index = 0; index < draws.length; index += 2) draws.set(normalPair(next), index);
  return draws;
}

function normalPair(next: () => number): readonly [number, number] {
  for (;;) {
    const [left, right] = [2 * next() - 1, 2 * next() - 1];
    const square = left * left + right * right;
    if (square > 0 && square < 1) {
      const scale = Math.sqrt((-2 * ln(square)) / square);
      return [left * scale, right * scale];
    }
  }
}
