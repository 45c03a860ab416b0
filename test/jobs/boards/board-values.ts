import type { BoardOrder } from '../../../src/rules/board-orders.ts';

/** What boards need of a score, as the table has it. */
export interface BoardScore {
  readonly points: number;
  readonly pnl: number;
  readonly peer: number;
  readonly contribution: number;
  /** Null where no price was known. */
  readonly edge: number | null;
  readonly arena: number | null;
  readonly brier: number;
  readonly reference: number;
}

const sumOf = <Score>(scores: readonly Score[], of: (score: Score) => number): number =>
  scores.reduce((sum, score) => sum + of(score), 0);

/** What each order goes by, from its definition. */
export const VALUES: Readonly<Record<BoardOrder, (scores: readonly BoardScore[]) => number>> = {
  POINTS: (scores) => sumOf(scores, ({ points }) => points),
  PNL: (scores) => sumOf(scores, ({ pnl }) => pnl),
  PEER: (scores) => sumOf(scores, ({ peer }) => peer),
  CONTRIBUTION: (scores) => sumOf(scores, ({ contribution }) => contribution),
  EDGE: (scores) => sumOf(scores, ({ edge }) => edge ?? 0) / scores.length,
  ARENA: (scores) => sumOf(scores, ({ arena }) => arena ?? 0) / scores.length,
  SKILL: (scores) => 1 - sumOf(scores, ({ brier }) => brier) / sumOf(scores, ({ reference }) => reference),
};

/** Which of an agent's scores an order is of, where not of all. */
export const COUNTED: Readonly<Partial<Record<BoardOrder, (score: BoardScore) => boolean>>> = {
  EDGE: ({ edge }) => edge !== null,
  ARENA: ({ arena }) => arena !== null,
};
