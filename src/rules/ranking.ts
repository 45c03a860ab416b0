import { fraction, roundHalfAway } from './fraction.ts';

/** Arena points by rank in a resolved round; a rank earns every row it reaches (spec 3.3: rank 1 earns both). */
export const ARENA_BONUSES = [
  { upToPlace: 10, points: 200 },
  { upToPlace: 1, points: 500 },
] as const;

export function arenaPointsFor(rank: number): number {
  return ARENA_BONUSES.filter(({ upToPlace }) => rank <= upToPlace).reduce((points, bonus) => points + bonus.points, 0);
}

export interface RankedEntry {
  readonly id: number;
  readonly score: number;
  readonly confidence: number;
  readonly correct: boolean;
  readonly submittedAt: Date;
}

/** Score, then the higher confidence if correct and the lower if wrong, then submission time, then id. Never 0. */
export function byPlace(left: RankedEntry, right: RankedEntry): number {
  return (
    right.score - left.score ||
    boldness(right) - boldness(left) ||
    left.submittedAt.getTime() - right.submittedAt.getTime() ||
    left.id - right.id
  );
}

function boldness(entry: RankedEntry): number {
  return entry.correct ? entry.confidence : -entry.confidence;
}

export interface BoardRow {
  readonly id: number;
  readonly points: number;
  readonly wins: number;
}

/** Points, then wins, then the lower id. Never 0 for two agents. */
export function byStanding(left: BoardRow, right: BoardRow): number {
  return right.points - left.points || right.wins - left.wins || left.id - right.id;
}

/** Sorts the rows. Equal points share a rank, and the next one skips: 1, 1, 3. */
export function ranked<Row extends BoardRow>(rows: readonly Row[]): readonly (Row & { readonly rank: number })[] {
  let rank = 0;
  let points: number | undefined;
  return rows.toSorted(byStanding).map((row, index) => {
    if (row.points !== points) [rank, points] = [index + 1, row.points];
    return { ...row, rank };
  });
}

/** 100 x wins / competitions, two decimals, half away from zero; 0 without competitions. */
export function winRatePct(wins: number, competitions: number): number {
  return competitions === 0 ? 0 : Number(roundHalfAway(fraction(100 * wins, competitions), 2));
}
