import { SYMBOLS } from '../oracle/candle-files.ts';
import { at, found } from '../oracle/json.ts';
import type { RoundFacts } from '../oracle/round-facts.ts';
import { below, cholesky, ROWS_OF_NORMALS } from './oracle-normals.ts';

/** What was public of an asset at an instant of its hour, in USD. */
export interface Shown {
  readonly open: number;
  readonly price: number;
  readonly high: number;
  readonly low: number;
}

/** All that the price alone says of a round at an instant. */
export interface Instant {
  readonly facts: RoundFacts;
  /** Of the round's assets, in their order. */
  readonly shown: ReadonlyMap<string, Shown>;
  /** Of hourly log returns, all assets. */
  readonly covariance: readonly (readonly number[])[];
  readonly signBefore: number | null;
  /** The share of the hour that is left. */
  readonly left: number;
}

export function namesOf({ shown }: Instant): readonly string[] {
  return [...shown.keys()];
}

export function shownOf({ shown }: Instant, name: string): Shown {
  return found(shown.get(name), `what was shown of ${name}`);
}

export function subjectOf({ facts }: Instant): string {
  return found(facts.subject ?? undefined, `the subject of round ${facts.id}`);
}

/** As a fraction of the open. */
export function thresholdOf({ facts }: Instant): number {
  return found(facts.thresholdPct ?? undefined, `the threshold of round ${facts.id}`) / 100;
}

/** The log return so far, of which a tenth is taken back over a whole hour. */
export function moved(instant: Instant, name: string): number {
  const { open, price } = shownOf(instant, name);
  return (1 - 0.1 * instant.left) * Math.log(price / open);
}

const POWER_OF_TIME = 1.13;

/** The deviation of a weighted sum of log returns over what is left of the hour. */
export function spread(instant: Instant, weights: readonly (readonly [string, number])[]): number {
  let variance = 0;
  for (const [one, weight] of weights)
    for (const [other, second] of weights) variance += weight * second * covarianceOf(instant, one, other);
  return Math.max(1e-6, Math.sqrt(Math.max(0, variance * instant.left ** POWER_OF_TIME)));
}

function placeOf(name: string): number {
  return SYMBOLS.findIndex((symbol) => symbol === name);
}

function covarianceOf({ covariance }: Instant, one: string, other: string): number {
  return at(at(covariance, placeOf(one)), placeOf(other));
}

const FIFTHS = [-1.2816, -0.5244, 0, 0.5244, 1.2816] as const;

/** Mean and deviation of the log of what the usual deviation is multiplied by, given the range so far. */
function wildness(instant: Instant, names: readonly string[]): readonly [number, number] {
  const over = 1 - instant.left;
  const [mean, prior] = [-0.1, 0.6 ** 2];
  if (over === 0) return [mean, Math.sqrt(prior)];
  const weight = prior / (prior + 0.3 + 0.01 / over);
  const sights = names.map((name) => {
    const { high, low } = shownOf(instant, name);
    const usual = Math.sqrt(covarianceOf(instant, name, name) * over);
    const sight = high > low ? Math.log(Math.log(high / low) / usual) - 0.62 : -1.5;
    return Math.min(1.5, Math.max(-1.5, sight));
  });
  const sight = sights.reduce((sum, one) => sum + one, 0) / sights.length;
  return [mean + weight * (sight - mean), Math.sqrt(prior * (1 - weight))];
}

export function factorsOf(instant: Instant, names: readonly string[]): readonly number[] {
  const [mean, deviation] = wildness(instant, names);
  return FIFTHS.map((fifth) => Math.exp(mean + deviation * fifth));
}

export function meanOver(factors: readonly number[], chance: (factor: number) => number): number {
  return factors.reduce((sum, factor) => sum + chance(factor), 0) / factors.length;
}

/** The log return of the round's subject ends above this level. */
export function endsAbove(instant: Instant, level: number): number {
  const name = subjectOf(instant);
  const gap = moved(instant, name) - level;
  const deviation = spread(instant, [[name, 1]]);
  return meanOver(factorsOf(instant, [name]), (factor) => below(gap / (factor * deviation)));
}

/** A walk from 0 stays between the two levels, by its sine series (Feller), or by images where that is the shorter. */
export function staysWithin(bottom: number, top: number, deviation: number): number {
  const width = top - bottom;
  let chance = 0;
  if (deviation > width / 2) {
    for (let n = 1; n <= 199; n += 2) {
      const decay = Math.exp(-((n * Math.PI * deviation) ** 2) / (2 * width * width));
      chance += (4 / (n * Math.PI)) * Math.sin((-n * Math.PI * bottom) / width) * decay;
    }
    return chance;
  }
  const mass = (from: number, to: number): number => below(to / deviation) - below(from / deviation);
  for (let image = -6; image <= 6; image += 1) {
    const shift = 2 * image * width;
    chance += mass(bottom + shift, top + shift) - mass(top + shift, 2 * top - bottom + shift);
  }
  return chance;
}

/** In how many of 2,048 draws each place is among those that `wins` names, as a share. */
export function shareOfDraws(
  instant: Instant,
  wins: (ends: readonly number[]) => readonly number[],
): readonly number[] {
  const names = namesOf(instant);
  const lower = cholesky(names.map((one) => names.map((other) => covarianceOf(instant, one, other))));
  const factors = factorsOf(instant, names);
  const moves = names.map((name) => moved(instant, name));
  const counts = names.map(() => 0);
  for (const [row, normals] of ROWS_OF_NORMALS.entries()) {
    const width = instant.left ** (POWER_OF_TIME / 2) * at(factors, row % factors.length);
    const gains = lower.map((weights) =>
      weights.reduce((sum, weight, column) => (weight === 0 ? sum : sum + weight * at(normals, column)), 0),
    );
    for (const sign of [width, -width]) {
      const ends = gains.map((gain, place) => at(moves, place) + sign * gain);
      for (const place of wins(ends)) counts[place] = at(counts, place) + 1;
    }
  }
  return counts.map((count) => count / (2 * ROWS_OF_NORMALS.length));
}

/** In how many of the draws the first of two assets has the wider range. */
export function widerOfTwo(instant: Instant): number {
  const [one, other] = [at(namesOf(instant), 0), at(namesOf(instant), 1)];
  const lower = cholesky([one, other].map((name) => [one, other].map((second) => covarianceOf(instant, name, second))));
  const [own, shared, rest] = [at(at(lower, 0), 0), at(at(lower, 1), 0), at(at(lower, 1), 1)];
  const [mine, theirs] = [wildness(instant, [one]), wildness(instant, [other])];
  const pairs = FIFTHS.flatMap((left) =>
    FIFTHS.map((right) => [
      Math.exp(mine[0] + mine[1] * left),
      Math.exp(theirs[0] + theirs[1] * (0.6 * left + 0.8 * right)),
    ]),
  );
  const step = Math.sqrt(instant.left ** POWER_OF_TIME / 8);
  const rows = ROWS_OF_NORMALS.length;
  let wider = 0;
  for (let row = 0; row < rows; row += 1) {
    const pair = at(pairs, row % pairs.length);
    const [normals, partner] = [at(ROWS_OF_NORMALS, row), at(ROWS_OF_NORMALS, (row + rows / 2) % rows)];
    for (const sign of [step, -step]) {
      const [wide, otherWide] = [sign * at(pair, 0), sign * at(pair, 1)];
      // What the second has of its own is not turned with the sign.
      const alone = step * at(pair, 1) * rest;
      const range = rangeOf(
        shownOf(instant, one),
        normals.map((z) => wide * own * z),
        wide * own,
      );
      const steps = normals.map((z, index) => otherWide * shared * z + alone * at(partner, index));
      const otherRange = rangeOf(shownOf(instant, other), steps, otherWide * Math.hypot(shared, rest));
      if (range > otherRange) wider += 1;
    }
  }
  return wider / (2 * rows);
}

/** (high - low) / open after these steps, whose deviation widens what is seen at their ends alone. */
function rangeOf({ open, price, high, low }: Shown, steps: readonly number[], deviation: number): number {
  let [move, top, bottom] = [0, 0, 0];
  for (const step of steps) {
    move += step;
    top = Math.max(top, move);
    bottom = Math.min(bottom, move);
  }
  const beyond = 0.5826 * Math.abs(deviation);
  const grown = (by: number): number => price * (1 + by + (by * by) / 2);
  return (Math.max(high, grown(top + beyond)) - Math.min(low, grown(bottom - beyond))) / open;
}
