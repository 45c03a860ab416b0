/** The only list of sums over scored predictions. Columns, statements, rows of reads and figures derive from it. */

/** Figures of one score, with the PostgreSQL type of their sum; decimals by precision and scale. */
export const FIGURES = {
  /** Score and streak bonus. */
  points: 'int',
  arenaPoints: 'int',
  pnlUsd: [14, 2],
  brier: [16, 4],
  referenceBrier: [16, 6],
  /** (reference - Brier term) squared, in millionths squared. */
  skillSquare: 'bigint',
  /** Millionths; missing where no price was known. */
  edge: 'bigint',
  /** Billionths. */
  contribution: 'bigint',
  /** Millionths. */
  peer: 'bigint',
  /** Mean and variance of the sim P&L if chance had decided, in the units of payoff-table.ts. */
  chancePnl: 'bigint',
  chanceVariance: 'bigint',
  /** Millionths; missing where the arena had no forecast. */
  arenaEdge: 'bigint',
} as const satisfies Readonly<Record<string, 'int' | 'bigint' | readonly [precision: number, scale: number]>>;

export type Figure = keyof typeof FIGURES;

export type Condition =
  | 'scored'
  | 'correct'
  | 'withoutEdge'
  | 'withArenaEdge'
  | 'ownOf4Choices'
  | 'ownOf8Choices'
  | 'standing'
  | 'standingCorrect';

/** A sum's column and what each score adds: a figure, its square, or 1 if a condition holds. */
export type Sum<Of extends string = Figure, Where extends string = Condition> = { readonly column: string } & (
  | { readonly sum: Of }
  | { readonly squares: Of }
  | { readonly counts: Where }
);

export const TOTALS = {
  points: { column: 'points', sum: 'points' },
  arenaPoints: { column: 'arena_points', sum: 'arenaPoints' },
  wins: { column: 'wins', counts: 'correct' },
  competitions: { column: 'competitions', counts: 'scored' },
  pnlUsd: { column: 'pnl_usd', sum: 'pnlUsd' },
  brierSum: { column: 'brier_sum', sum: 'brier' },
  referenceBrierSum: { column: 'reference_brier_sum', sum: 'referenceBrier' },
} as const satisfies Readonly<Record<string, Sum>>;

/** Sums behind intervals, edge and luck. Standing predictions have no edge and no luck. */
export const EXTENDED = {
  pointsSquares: { column: 'points_square_sum', squares: 'points' },
  skillSquares: { column: 'skill_square_sum', sum: 'skillSquare' },
  edge: { column: 'edge_sum', sum: 'edge' },
  edgeSquares: { column: 'edge_square_sum', squares: 'edge' },
  withoutEdge: { column: 'without_edge', counts: 'withoutEdge' },
  contribution: { column: 'contribution_sum', sum: 'contribution' },
  peer: { column: 'peer_sum', sum: 'peer' },
  choices4: { column: 'choices_4', counts: 'ownOf4Choices' },
  choices8: { column: 'choices_8', counts: 'ownOf8Choices' },
  chancePnl: { column: 'chance_pnl_sum', sum: 'chancePnl' },
  chanceVariance: { column: 'chance_pnl_variance', sum: 'chanceVariance' },
  arenaEdges: { column: 'arena_edges', counts: 'withArenaEdge' },
  arenaEdge: { column: 'arena_edge_sum', sum: 'arenaEdge' },
  arenaEdgeSquares: { column: 'arena_edge_square_sum', squares: 'arenaEdge' },
  standing: { column: 'standing_n', counts: 'standing' },
  standingWins: { column: 'standing_wins', counts: 'standingCorrect' },
} as const satisfies Readonly<Record<string, Sum>>;

export const SUMS = { ...TOTALS, ...EXTENDED } as const;

export type SumName = keyof typeof SUMS;

/** Decimals are text, so that they stay exact. */
export type Totals = { readonly [Name in keyof typeof TOTALS]: TotalOf<(typeof TOTALS)[Name]> };

type TotalOf<Of extends Sum> = Of extends { readonly sum: infer Of_ extends Figure }
  ? (typeof FIGURES)[Of_] extends readonly number[]
    ? string
    : number
  : number;

/** In the units of their figures; squares may be rounded to 16 digits. */
export type ExtendedSums = Readonly<Record<keyof typeof EXTENDED, number>>;

export function sumType(sum: Sum): (typeof FIGURES)[Figure] {
  if ('counts' in sum) return 'int';
  return 'squares' in sum ? 'bigint' : FIGURES[sum.sum];
}

/** Decimal digits per figure of a group; sums are in whole units. */
export const GROUP_FIGURE_DIGITS = { confidence: 0, brier: 4, reference: 6, gain: 6, pnl: 2, edge: 6 } as const;

export type GroupFigure = keyof typeof GROUP_FIGURE_DIGITS;

export const GROUP_SUMS = {
  n: { column: 'n', counts: 'scored' },
  hits: { column: 'hits', counts: 'correct' },
  confidence: { column: 'confidence_sum', sum: 'confidence' },
  confidenceSquares: { column: 'confidence_squares', squares: 'confidence' },
  brier: { column: 'brier_sum', sum: 'brier' },
  brierSquares: { column: 'brier_squares', squares: 'brier' },
  reference: { column: 'reference_sum', sum: 'reference' },
  gainSquares: { column: 'gain_squares', squares: 'gain' },
  pnl: { column: 'pnl_sum', sum: 'pnl' },
  pnlSquares: { column: 'pnl_squares', squares: 'pnl' },
  edges: { column: 'edge_n', counts: 'withEdge' },
  edge: { column: 'edge_sum', sum: 'edge' },
  edgeSquares: { column: 'edge_squares', squares: 'edge' },
} as const satisfies Readonly<Record<string, Sum<GroupFigure, 'scored' | 'correct' | 'withEdge'>>>;

export type GroupSum = (typeof GROUP_SUMS)[keyof typeof GROUP_SUMS];
