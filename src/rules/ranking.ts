import { fraction, roundHalfAway } from './fraction.ts';

/** Arena points by place in a resolved round; a place gets every row it reaches (spec 3.3: first place both). */
export const ARENA_BONUSES = [
  { upToPlace: 10, points: 200 },
  { upToPlace: 1, points: 500 },
] as const;

/** The arena points of a place, counted from 1. */
export function arenaPointsFor(place: number): number {
  return ARENA_BONUSES.filter(({ upToPlace }) => place <= upToPlace).reduce(
    (points, bonus) => points + bonus.points,
    0,
  );
}

/** What decides the place of a scored prediction in its round. `id` is the prediction's, unique in the round. */
export interface RankedEntry {
  readonly id: number;
  readonly score: number;
  readonly confidence: number;
  readonly correct: boolean;
  readonly submittedAt: Date;
}

/**
 * Orders a round's entries from place 1 down: score, then the higher confidence if correct and the lower if wrong,
 * then the earlier submission, then the lower id. Never 0 for two entries of one round.
 */
export function byPlace(left: RankedEntry, right: RankedEntry): number {
  return (
    right.score - left.score ||
    boldness(right) - boldness(left) ||
    left.submittedAt.getTime() - right.submittedAt.getTime() ||
    left.id - right.id
  );
}

/** Confidence where it was right, minus confidence where it was wrong: higher is better among equal scores. */
function boldness(entry: RankedEntry): number {
  return entry.correct ? entry.confidence : -entry.confidence;
}

/** What decides the order of the leaderboard. `id` is the agent's. */
export interface BoardRow {
  readonly id: number;
  readonly points: number;
  readonly wins: number;
}

/** Orders the board: points, then wins, then the lower id. Never 0 for two agents. */
export function byStanding(left: BoardRow, right: BoardRow): number {
  return right.points - left.points || right.wins - left.wins || left.id - right.id;
}

/** The rows in the board's order, each with its rank. Equal points share a rank, and the next one skips: 1, 1, 3. */
export function ranked<Row extends BoardRow>(rows: readonly Row[]): readonly (Row & { readonly rank: number })[] {
  let rank = 0;
  let points: number | undefined;
  return rows.toSorted(byStanding).map((row, index) => {
    if (row.points !== points) [rank, points] = [index + 1, row.points];
    return { ...row, rank };
  });
}

/** 100 x wins / competitions in percent, two decimals, half away from zero; 0 when there are no competitions. */
export function winRatePct(wins: number, competitions: number): number {
  return competitions === 0 ? 0 : Number(roundHalfAway(fraction(100 * wins, competitions), 2));
}
