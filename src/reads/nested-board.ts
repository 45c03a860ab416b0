import { type RawBuilder, sql } from 'kysely';

import { DEFAULT_ORDER } from '../rules/board-orders.ts';
import type { Period } from '../rules/windows.ts';
import { constantText, timeText } from './answer-text.ts';
import {
  instant,
  type Nested,
  nestedMany,
  nestedOne,
  nestedRow,
  numbersOf,
  plain,
  type RowKind,
  string,
  type Wanted,
} from './nested.ts';
import { AGENT } from './nested-rows.ts';
import { WINDOW_NEEDS, windowColumns, windowTexts } from './nested-standings.ts';
import { rankCertaintyOf } from './board.ts';

/** The first rows of a window's board by points. */
export function nestedBoard(selected: readonly Wanted[], period: Period, limit: number): Nested {
  const found = nestedOne(nestedRow(boardKind(period, limit), selected), sql`platform p where p.id = 1`);
  return {
    ...found,
    read(json) {
      const board = found.read(json);
      return board && { ...board, period, orderBy: DEFAULT_ORDER, minRounds: 0 };
    },
  };
}

/** A window's board by points, of the platform `p`. */
export function boardKind(period: Period, limit: number): RowKind {
  return {
    columns: { updatedAt: instant(sql`p.boards_updated_at`) },
    always: [],
    needs: {},
    texts: {
      __typename: constantText('Leaderboard'),
      period: constantText(period),
      orderBy: constantText(DEFAULT_ORDER),
      minRounds: sql`0`,
      updatedAt: timeText(sql`p.boards_updated_at`),
    },
    along: {
      rankings: ({ selected }) =>
        nestedMany(
          nestedRow(boardRow(period), selected),
          sql`board_places b join agents a on a.id = b.agent_id join standings s on s.agent_id = b.agent_id
            where b.period = ${sql.lit(period)} and b.position <= ${sql.lit(limit)} order by b.position`,
        ),
    },
  };
}

/** A row of the board: its place `b`, the agent `a` and its standing `s`, whose sums are the window's. */
export function boardRow(period: Period): RowKind {
  const sum = (name: string): RawBuilder<unknown> => sql.ref(`s.${period}_${name}`);
  return {
    columns: {
      ...numbersOf('b', { rank: 'rank', agentId: 'agent_id' }),
      ...numbersOf('s', { currentStreak: 'current_streak', bestStreak: 'best_streak' }),
      name: string(sql`a.name`),
      tier: plain(sql`s.tier`),
      ...windowColumns(sum),
      pointsSquares: plain(sum('points_square_sum')),
      certainty: plain(rankCertaintyOf(period, sql`b.agent_id`)),
    },
    always: [],
    needs: {
      ...WINDOW_NEEDS,
      credentialTier: ['tier'],
      agent: ['agentId'],
      value: ['points'],
      interval: ['points', 'competitions', 'pointsSquares'],
      rankInterval: ['certainty'],
      tiedWithAbove: ['certainty'],
      n: ['competitions'],
    },
    texts: {
      __typename: constantText('LeaderboardRow'),
      ...windowTexts(sum),
      credentialTier: sql`to_json(s.tier)`,
      value: sum('points'),
      n: sum('competitions'),
    },
    along: { agent: ({ selected }) => nestedRow(AGENT, selected) },
  };
}
