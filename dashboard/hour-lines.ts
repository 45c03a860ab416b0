/** What a diagram of an hour needs of a prediction. */
export interface HourEntry {
  readonly id: number;
  /** Null while picks are sealed. */
  readonly prediction: string | null;
  /** Percent; null while picks are sealed. */
  readonly confidence: number | null;
  readonly submittedAt: string;
  /** Whether the service made it of what the agent has standing: the crowd is without those. */
  readonly standing: boolean;
}

/** A value at a moment of the hour, in minutes from its start. */
export interface HourPoint {
  readonly minute: number;
  readonly value: number;
}

/**
 * The probability that a prediction gives to `answer`: its confidence, or where it picked another, an equal part of what
 * is left. From 0 to 1; null while the pick is sealed.
 */
export function probabilityOf(
  { prediction, confidence }: Pick<HourEntry, 'prediction' | 'confidence'>,
  answer: string,
  choices: number,
): number | null {
  if (prediction === null || confidence === null) return null;
  const stated = confidence / 100;
  return prediction === answer ? stated : (1 - stated) / (choices - 1);
}

/** Minutes from `start` to `instant`, with fractions. */
export function minutesFrom(start: string, instant: string | number): number {
  return ((typeof instant === 'number' ? instant : Date.parse(instant)) - Date.parse(start)) / 60_000;
}

interface CrowdAsked {
  readonly start: string;
  readonly answer: string;
  readonly choices: number;
}

/** Each entry that is not sealed nor standing as a dot, in the order of submission. */
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

/** What the arena's forecasts said of `answer`, at the instants that they stand for; without predictions they say the price. */
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

/** What the crowd said after each minute in which somebody answered, as the service adds it up. */
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

/** What the crowd said after each dot: the mean of all up to it. */
export function crowdLine(dots: readonly HourPoint[]): HourPoint[] {
  let sum = 0;
  return dots.map(({ minute, value }, index) => {
    sum += value;
    return { minute, value: sum / (index + 1) };
  });
}
