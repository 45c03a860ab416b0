import { minutesFrom } from './figures.ts';

export interface HourEntry {
  readonly id: number;
  /** Null while picks are sealed. */
  readonly prediction: string | null;
  /** Percent; null while picks are sealed. */
  readonly confidence: number | null;
  readonly submittedAt: string;
  /** True for default answers made by the service, which the crowd excludes. */
  readonly standing: boolean;
}

/** In minutes from the hour's start. */
export interface HourPoint {
  readonly minute: number;
  readonly value: number;
}

/** From 0 to 1: the confidence, or for another pick an equal part of the rest; null while the pick is sealed. */
export function probabilityOf(
  { prediction, confidence }: Pick<HourEntry, 'prediction' | 'confidence'>,
  answer: string,
  choices: number,
): number | null {
  if (prediction === null || confidence === null) return null;
  const stated = confidence / 100;
  return prediction === answer ? stated : (1 - stated) / (choices - 1);
}

interface CrowdAsked {
  readonly start: string;
  readonly answer: string;
  readonly choices: number;
}

/** In the order of submission, without sealed and default answers. */
export function entryDots(entries: readonly HourEntry[], { start, answer, choices }: CrowdAsked): HourPoint[] {
  return entries.flatMap((entry) => {
    const value = entry.standing ? null : probabilityOf(entry, answer, choices);
    return value === null ? [] : [{ minute: minutesFrom(start, entry.submittedAt), value }];
  });
}

interface SaidForecast {
  readonly at: string;
  readonly entries: number;
  readonly probabilities: readonly { readonly answer: string; readonly probability: number }[];
}

/** A point at the time of each forecast. Forecasts without predictions are left out: they equal the price. */
export function forecastLine(
  forecasts: readonly SaidForecast[],
  { start, answer }: Pick<CrowdAsked, 'start' | 'answer'>,
): HourPoint[] {
  return forecasts.flatMap(({ at, entries, probabilities }) => {
    const value = probabilities.find((one) => one.answer === answer)?.probability;
    return value === undefined || entries === 0 ? [] : [{ minute: minutesFrom(start, at), value }];
  });
}

interface CrowdMinute {
  readonly at: string;
  readonly n: number;
  readonly shares: readonly { readonly answer: string; readonly n: number; readonly confidenceSum: number }[];
}

/** One point for each minute with an answer, as the service adds it up. */
export function minuteLine(history: readonly CrowdMinute[], { start, answer, choices }: CrowdAsked): HourPoint[] {
  return history.map(({ at, n: all, shares }) => ({
    minute: minutesFrom(start, at),
    value: shares.reduce(
      (sum, { answer: one, n, confidenceSum }) =>
        sum + (one === answer ? confidenceSum : (100 * n - confidenceSum) / (choices - 1)) / (100 * all),
      0,
    ),
  }));
}

/** The mean of all dots so far. */
export function crowdLine(dots: readonly HourPoint[]): HourPoint[] {
  let sum = 0;
  return dots.map(({ minute, value }, index) => {
    sum += value;
    return { minute, value: sum / (index + 1) };
  });
}
