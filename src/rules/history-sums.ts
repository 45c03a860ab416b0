/** What a round brought an agent, in whole numbers of whatever unit. */
export interface RecordedRound {
  readonly id: number;
  readonly figures: readonly number[];
}

/** One or more rounds of an agent that follow each other. */
export interface HistorySums {
  /** The last of them. */
  readonly roundId: number;
  readonly rounds: number;
  /** What they brought together, and with all rounds before. */
  readonly sums: readonly number[];
  readonly cumulative: readonly number[];
}

/**
 * What a record in the order of time comes to, at most `max` times: more rounds than that are put together in groups of equal size,
 * the first one smaller where they do not divide.
 */
export function historySums(record: readonly RecordedRound[], max: number): readonly HistorySums[] {
  const size = Math.ceil(record.length / max);
  const points: HistorySums[] = [];
  let before: readonly number[] | undefined;
  for (let end = record.length - size * (Math.ceil(record.length / size) - 1); end <= record.length; end += size) {
    const rounds = record.slice(Math.max(0, end - size), end);
    const last = rounds.at(-1);
    if (last === undefined) break;
    const sums = last.figures.map((_, place) => rounds.reduce((sum, { figures }) => sum + (figures[place] ?? 0), 0));
    const cumulative: readonly number[] = sums.map((sum, place) => sum + (before?.[place] ?? 0));
    points.push({ roundId: last.id, rounds: rounds.length, sums, cumulative });
    before = cumulative;
  }
  return points;
}
