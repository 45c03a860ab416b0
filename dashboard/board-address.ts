import { idIn } from './addresses.ts';
import type { RatedQuery } from './documents/board.ts';
import type { ArchiveKind, Period } from '../src/rules/windows.ts';
import { periodIn } from './period-choice.ts';
import type { BoardOrder } from '../src/rules/board-orders.ts';

/** The page's orders, by REST's words for them. */
export const ORDER_WORDS = { points: 'POINTS', edge: 'EDGE', skill: 'SKILL', pnl: 'PNL' } as const;

export type ShownOrder = (typeof ORDER_WORDS)[keyof typeof ORDER_WORDS] & BoardOrder;

/** The minimum numbers of rounds on offer; unset: the order's default. */
export const MIN_ROUNDS = [20, 100] as const;

/** Rows of a board beside other content, and on its own page. */
export const BOARD_ROWS = { now: 10, boards: 100 } as const;

/** Names are those of the schema's arguments. */
export interface ShownBoard {
  readonly period: Period;
  readonly orderBy: ShownOrder;
  readonly minRounds: number | null;
  /** The number of places before the first one shown. */
  readonly after: number;
}

/** From this number of agents with enough rounds for a mean, the first page's board is by edge. */
const RATED_AGENTS = 10;

export function firstOrder(rated: RatedQuery | null | undefined): ShownOrder {
  return (rated?.leaderboard.places ?? 0) < RATED_AGENTS ? 'POINTS' : 'EDGE';
}

/** Defaults: the week, by `usual`. Older links have `by` and `min`. */
export function boardIn(search: string, usual: ShownOrder = 'POINTS'): ShownBoard {
  const parameters = new URLSearchParams(search);
  const order = parameters.get('order_by') ?? parameters.get('by');
  const least = parameters.get('min_rounds') ?? parameters.get('min');
  const [, orderBy = usual] = Object.entries(ORDER_WORDS).find(([word]) => word === order) ?? [];
  return {
    period: periodIn(search, 'weekly'),
    orderBy,
    minRounds: MIN_ROUNDS.find((rounds) => String(rounds) === least) ?? null,
    after: idIn(parameters.get('after') ?? '') ?? 0,
  };
}

/** False: the board comes in its usual order. */
export function hasOrder(search: string): boolean {
  return /[?&](order_)?by=/.test(search);
}

/** The frozen boards closest to each window's: those of finished days, weeks or months. */
export const FROZEN_KINDS: Readonly<Record<Period, ArchiveKind>> = {
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  alltime: 'month',
};

/** `Leaderboard by edge, weekly`. */
export function boardTitle({ orderBy, period }: { readonly orderBy: BoardOrder; readonly period: Period }): string {
  const by = orderBy === 'PNL' ? 'simulated P&L' : orderBy.toLowerCase();
  return `Leaderboard by ${by}, ${period.replace('alltime', 'all time')}`;
}

/** Keeps the other parameters of `search`; begins at the first place unless `after` is given. */
export function boardPath(path: string, search: string, { period, orderBy, minRounds }: ShownBoard, after = 0): string {
  const parameters = new URLSearchParams(search);
  parameters.set('period', period);
  const [word = ''] = Object.entries(ORDER_WORDS).find(([, order]) => order === orderBy) ?? [];
  parameters.set('order_by', word);
  for (const old of ['by', 'min', 'min_rounds', 'after']) parameters.delete(old);
  if (minRounds !== null) parameters.set('min_rounds', String(minRounds));
  if (after > 0) parameters.set('after', String(after));
  return `${path}?${parameters.toString()}`;
}
