import { type Period, PERIODS } from '../src/rules/windows.ts';
import type { BoardOrder } from '../src/rules/board-orders.ts';

/** The orders that the page offers, by the word for each in an address: the one that REST has. */
export const ORDER_WORDS = { points: 'POINTS', edge: 'EDGE', skill: 'SKILL', pnl: 'PNL' } as const;

/** One of the orders that the page offers. */
export type ShownOrder = (typeof ORDER_WORDS)[keyof typeof ORDER_WORDS] & BoardOrder;

/** From how many rounds on an agent may be asked to be listed; unset: as usual in the order. */
export const MIN_ROUNDS = [20, 100] as const;

/** How many agents a board shows: beside other things, and on a page of its own. */
export const BOARD_ROWS = { now: 10, boards: 100 } as const;

/** The board that an address asks for, by the names of the schema's arguments. */
export interface ShownBoard {
  readonly period: Period;
  readonly orderBy: ShownOrder;
  readonly minRounds: number | null;
}

/** The board of `?period=`, `?order_by=` and `?min_rounds=`: the week by points where they name none. Older links have `by` and `min`. */
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

/** The window of `?period=`. */
export function periodIn(search: string, usual: Period): Period {
  const asked = new URLSearchParams(search).get('period');
  return PERIODS.find((period) => period === asked) ?? usual;
}

/** The address under `path` that asks for this board; what it asks for besides stays. */
export function boardPath(path: string, search: string, { period, orderBy, minRounds }: ShownBoard): string {
  const asked = new URLSearchParams(search);
  asked.set('period', period);
  const [word = ''] = Object.entries(ORDER_WORDS).find(([, order]) => order === orderBy) ?? [];
  asked.set('order_by', word);
  for (const old of ['by', 'min', 'min_rounds']) asked.delete(old);
  if (minRounds !== null) asked.set('min_rounds', String(minRounds));
  return `${path}?${asked.toString()}`;
}
