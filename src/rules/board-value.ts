import type { BoardOrder } from './board-orders.ts';
import { type Interval, meanInterval, skillInterval, type Sums } from './statistics/means.ts';
import { UNITS } from './payoffs.ts';
import type { ExtendedSums, Totals } from './sums.ts';

export interface WindowSums extends Pick<
  Totals,
  'points' | 'competitions' | 'pnlUsd' | 'brierSum' | 'referenceBrierSum'
> {
  readonly extendedSums: Omit<ExtendedSums, keyof ChanceSums>;
}

/** The sums behind luck. Boards stored before standing predictions existed lack `standing` and `standingWins`. */
export type ChanceSums = Pick<ExtendedSums, 'choices4' | 'choices8' | 'chancePnl' | 'chanceVariance'> &
  Partial<Pick<ExtendedSums, 'standing' | 'standingWins'>>;

export interface BoardValue {
  readonly value: number;
  readonly interval: Interval | null;
}

/** The squares of skill are in millionths of a Brier term. */
const BRIER_UNITS = 1_000_000;

const CENTS = 100;

/** Totals for sums, means for edge and skill. `figures` per round replace squares that are not stored. */
export function boardValue(orderBy: BoardOrder, window: WindowSums, figures: readonly number[] | null): BoardValue {
  const { competitions: n, extendedSums } = window;
  switch (orderBy) {
    case 'POINTS':
      return pointsValue(window.points, n, extendedSums.pointsSquares);
    case 'EDGE':
      return meanValue(edgeSums(window));
    case 'ARENA':
      return meanValue(arenaEdgeSums(window));
    case 'SKILL': {
      const [brier, reference] = [Number(window.brierSum), Number(window.referenceBrierSum)];
      return { value: 1 - brier / reference, interval: skillInterval(skillSums(window), reference) };
    }
    case 'PNL':
      return { value: Number(window.pnlUsd), interval: totalOf(figures, CENTS) };
    case 'PEER':
      return { value: extendedSums.peer / UNITS.peer, interval: totalOf(figures, UNITS.peer) };
    case 'CONTRIBUTION':
      return { value: extendedSums.contribution / UNITS.contribution, interval: totalOf(figures, UNITS.contribution) };
  }
}

export function edgeSums({
  competitions,
  extendedSums: { edge, edgeSquares, withoutEdge },
}: Pick<WindowSums, 'competitions' | 'extendedSums'>): Sums {
  return { n: competitions - withoutEdge, sum: edge / UNITS.edge, squareSum: edgeSquares / UNITS.edge ** 2 };
}

export function arenaEdgeSums({ extendedSums }: Pick<WindowSums, 'extendedSums'>): Sums {
  const { arenaEdges: n, arenaEdge, arenaEdgeSquares } = extendedSums;
  return { n, sum: arenaEdge / UNITS.edge, squareSum: arenaEdgeSquares / UNITS.edge ** 2 };
}

/** The reference's Brier terms minus the agent's own, per prediction. */
export function skillSums({ competitions: n, brierSum, referenceBrierSum, extendedSums }: WindowSums): Sums {
  const squareSum = extendedSums.skillSquares / BRIER_UNITS ** 2;
  return { n, sum: Number(referenceBrierSum) - Number(brierSum), squareSum };
}

function meanValue(sums: Sums): BoardValue {
  const interval = meanInterval(sums);
  return { value: sums.sum / sums.n, interval: interval && { low: interval.low, high: interval.high } };
}

export function roundsFor(orderBy: BoardOrder, window: WindowSums): number {
  if (orderBy === 'ARENA') return arenaEdgeSums(window).n;
  return orderBy === 'EDGE' ? edgeSums(window).n : window.competitions;
}

export function pointsValue(points: number, n: number, squareSum: number): BoardValue {
  return { value: points, interval: totalInterval({ n, sum: points, squareSum }) };
}

function totalInterval(sums: Sums): Interval | null {
  const interval = meanInterval(sums);
  return interval && { low: sums.n * interval.low, high: sums.n * interval.high };
}

function totalOf(figures: readonly number[] | null, units: number): Interval | null {
  if (figures === null) return null;
  const shown = figures.map((figure) => figure / units);
  return totalInterval({
    n: shown.length,
    sum: shown.reduce((sum, figure) => sum + figure, 0),
    squareSum: shown.reduce((sum, figure) => sum + figure * figure, 0),
  });
}
