import { type Period, PERIODS } from '../src/rules/windows.ts';
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
}

/** Defaults: the week, by points. Older links have `by` and `min`. */
export function boardIn(search: string): ShownBoard {
  const asked = new URLSearchParams(search);
  const order = asked.get('order_by') ?? asked.get('by');
  const least = asked.get('min_rounds') ?? asked.get('min');
  const [, orderBy = 'POINTS'] = Object.entries(ORDER_WORDS).find(([word]) => word === order) ?? [];
  return {
    period: periodIn(search, 'weekly'),
    orderBy,
    minRounds: MIN_ROUNDS.find((rounds) => String(rounds) === least) ?? null,
  };
}

export function periodIn(search: string, usual: Period): Period {
  const asked = new URLSearchParams(search).get('period');
  return PERIODS.find((period) => period === asked) ?? usual;
}

/** `Leaderboard by edge, weekly`. */
export function boardTitle({ orderBy, period }: { readonly orderBy: BoardOrder; readonly period: Period }): string {
  const by = orderBy === 'PNL' ? 'simulated P&L' : orderBy.toLowerCase();
  return `Leaderboard by ${by}, ${period.replace('alltime', 'all time')}`;
}

/** Keeps the other parameters of `search`. */
export function boardPath(path: string, search: string, { period, orderBy, minRounds }: ShownBoard): string {
  const asked = new URLSearchParams(search);
  asked.set('period', period);
  const [word = ''] = Object.entries(ORDER_WORDS).find(([, order]) => order === orderBy) ?? [];
  asked.set('order_by', word);
  for (const old of ['by', 'min', 'min_rounds']) asked.delete(old);
  if (minRounds !== null) asked.set('min_rounds', String(minRounds));
  return `${path}?${asked.toString()}`;
}
