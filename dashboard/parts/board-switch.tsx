import type { ComponentChildren } from 'preact';

import { DEFAULT_MIN_ROUNDS } from '../../src/rules/board-orders.ts';
import { MIN_ROUNDS, ORDER_WORDS, type ShownBoard, type ShownOrder } from '../board-address.ts';
import { PERIOD_TABS } from '../period-choice.ts';
import { Tabs } from './tabs.tsx';

const ORDERS: readonly (readonly [ShownOrder, string])[] = [
  [ORDER_WORDS.points, 'Points'],
  [ORDER_WORDS.edge, 'Edge'],
  [ORDER_WORDS.skill, 'Skill'],
  [ORDER_WORDS.pnl, 'P&L'],
];

/** The order's default, then larger minimums. */
function roundsOptions(usual: number): (readonly [string, string])[] {
  return [0, ...MIN_ROUNDS]
    .filter((rounds) => rounds >= usual)
    .map((rounds) => [rounds === usual ? '' : String(rounds), rounds === 0 ? 'All agents' : `${rounds} rounds +`]);
}

/** Below the switches, after the words on the order. */
export function OrderLine({ children }: { readonly children?: ComponentChildren }) {
  return (
    <p class="fine">
      {children} Points reward late answers; <a href="/docs/fairness">edge</a> does not.
    </p>
  );
}

interface BoardSwitchProps {
  readonly board: ShownBoard;
  readonly choose: (board: ShownBoard) => void;
}

/** Order and window. */
export function BoardSwitch({ board, choose }: BoardSwitchProps) {
  const { period, orderBy } = board;
  return (
    <>
      <Tabs
        label="Order of the board"
        name="board-order"
        options={ORDERS}
        value={orderBy}
        choose={(one) => choose({ ...board, orderBy: one })}
      />
      <Tabs
        label="Window of the board"
        name="board-period"
        options={PERIOD_TABS}
        value={period}
        choose={(one) => choose({ ...board, period: one })}
      />
    </>
  );
}

/** The minimum number of rounds. */
export function RoundsSwitch({ board, choose }: BoardSwitchProps) {
  return (
    <Tabs
      label="Least rounds of an agent"
      name="board-rounds"
      options={roundsOptions(DEFAULT_MIN_ROUNDS[board.orderBy])}
      value={String(board.minRounds ?? '')}
      choose={(one) => choose({ ...board, minRounds: MIN_ROUNDS.find((rounds) => String(rounds) === one) ?? null })}
    />
  );
}
