import { roundedQuotient } from './decimals.ts';

const CONSISTENCY_BONUS = 10;
const PLACES_WITH_ARENA_POINTS = 10;

/** The table's points and the consistency bonus. */
export function scoreOf(confidence: number, correct: boolean): number {
  const points = confidence >= 80 ? [100, -50] : confidence >= 50 ? [60, -30] : [30, -10];
  return Number(points[correct ? 0 : 1]) + CONSISTENCY_BONUS;
}

/** The bonus of a win that makes the streak this long. */
export function streakBonusOf(streak: number): number {
  if (streak >= 20) return 25;
  if (streak >= 10) return 15;
  if (streak >= 5) return 10;
  return streak >= 3 ? 5 : 0;
}

/**
 * Brier over all answers, as `units` of 1 / `whole`. With m = max(confidence x k, 100) and everything counted in units of 1 / (100 k (k - 1)), the stake on the
 * pick is m (k - 1), that on each other answer 100 k - m, and a sure thing is the unit's reciprocal: all of them integers.
 * No more than `most` percent count as put on the pick.
 */
export function brierOf(
  answers: number,
  confidence: number,
  correct: boolean,
  most = 100,
): { units: bigint; whole: bigint } {
  const k = BigInt(answers);
  const m = BigInt(Math.min(most * answers, Math.max(confidence * answers, 100)));
  const whole = 100n * k * (k - 1n);
  const pick = m * (k - 1n);
  const other = 100n * k - m;
  const brier = correct
    ? (pick - whole) ** 2n + (k - 1n) * other ** 2n
    : pick ** 2n + (other - whole) ** 2n + (k - 2n) * other ** 2n;
  return { units: brier, whole: whole ** 2n };
}

/** P&L in cents: 100 (B0 - B) / (2 - B0) USD with B0 = 1 - 1/k. */
export function pnlCentsOf(answers: number, confidence: number, correct: boolean): bigint {
  const k = BigInt(answers);
  const { units, whole } = brierOf(answers, confidence, correct);
  return roundedQuotient(10_000n * ((k - 1n) * whole - k * units), whole * (k + 1n));
}

export interface Standing {
  readonly id: number;
  readonly confidence: number;
  readonly submittedAt: string;
  readonly correct: boolean;
  readonly score: number;
}

/** The predictions of a round from the first place to the last. */
export function placed<T extends Standing>(predictions: readonly T[]): T[] {
  const boldness = (of: Standing): number => (of.correct ? of.confidence : -of.confidence);
  return predictions.toSorted(
    (one, other) =>
      other.score - one.score ||
      boldness(other) - boldness(one) ||
      Number(one.submittedAt > other.submittedAt) - Number(one.submittedAt < other.submittedAt) ||
      one.id - other.id,
  );
}

export function arenaPointsOf(place: number): number {
  if (place > PLACES_WITH_ARENA_POINTS) return 0;
  return place === 1 ? 700 : 200;
}

/** 100 x wins / competitions in hundredths of a percent. */
export function winRateOf(wins: number, competitions: number): bigint {
  return competitions === 0 ? 0n : roundedQuotient(10_000n * BigInt(wins), BigInt(competitions));
}

/** A prediction, and what the price alone said when it was accepted: a probability for each choice, in their order. */
export interface Judged {
  readonly choices: readonly string[];
  readonly said: readonly number[];
  readonly prediction: string;
  readonly confidence: number;
}

const MILLION = 1_000_000;

/**
 * Brier of what the price alone said - Brier of the prediction, over all answers; each rounded to millionths before. What has
 * not settled the question says at most 98 % of anything, and no prediction is taken to say more beside it.
 */
export function edgeOf({ choices, said, prediction, confidence }: Judged, outcome: string): bigint {
  const missed = choices.map((choice, index) => Number(choice === outcome) - Number(said[index]));
  const ofPrice = Math.round(missed.reduce((sum, miss) => sum + miss ** 2, 0) * MILLION);
  const { units, whole } = brierOf(choices.length, confidence, prediction === outcome, said.includes(1) ? 100 : 98);
  return BigInt(ofPrice) - roundedQuotient(BigInt(MILLION) * units, whole);
}
