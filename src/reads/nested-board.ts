import { type RawBuilder, sql } from 'kysely';

import { DEFAULT_ORDER } from '../rules/board-orders.ts';
import type { Period } from '../rules/windows.ts';
import {
  columnsOf,
  decimal,
  instant,
  type Nested,
  nestedMany,
  nestedRow,
  plain,
  type RowKind,
  type Wanted,
} from './nested.ts';
import { AGENT } from './nested-rows.ts';
import { surePlaceOf } from './sure-places.ts';

/** The first rows of a window's board by points; null where they are asked for more than once. */
export function nestedBoard(selected: readonly Wanted[], period: Period, limit: number): Nested | null {
  const [rankings, ...more] = selected.filter(({ name }) => name === 'rankings');
  if (more.length > 0) return null;
  const row = nestedRow(boardRow(period), rankings?.selected ?? []);
  const rows = nestedMany(
    row,
    sql`board_places b join agents a on a.id = b.agent_id join standings s on s.agent_id = b.agent_id
      where b.period = ${sql.lit(period)} and b.position <= ${sql.lit(rankings === undefined ? 0 : limit)} order by b.position`,
  );
  const updatedAt = instant(sql`p.boards_updated_at`);
  return {
    sql: sql`(select json_build_array(${updatedAt.sql}, ${rows.sql}) from platform p where p.id = 1)`,
    read(json) {
      const [at, found]: readonly unknown[] = Array.isArray(json) ? json : [];
      return {
        period,
        orderBy: DEFAULT_ORDER,
        minRounds: 0,
        updatedAt: updatedAt.read(at),
        rankings: rows.read(found),
      };
    },
  };
}

/** A row of the board: its place `b`, the agent `a` and its standing `s`, whose sums are the window's. */
export function boardRow(period: Period): RowKind {
  const sum = (name: string): RawBuilder<unknown> => sql.ref(`s.${period}_${name}`);
  return {
    columns: {
      ...columnsOf('s', { currentStreak: 'current_streak', bestStreak: 'best_streak', tier: 'tier' }),
      rank: plain(sql`b.rank`),
      agentId: plain(sql`b.agent_id`),
      name: plain(sql`a.name`),
      points: plain(sum('points')),
      arenaPoints: plain(sum('arena_points')),
      wins: plain(sum('wins')),
      competitions: plain(sum('competitions')),
      pnlUsd: decimal(sum('pnl_usd')),
      pointsSquares: plain(sum('points_square_sum')),
      sure: plain(surePlaceOf(period, sql`b.agent_id`)),
    },
    always: [],
    needs: {
      totalPoints: ['points'],
      totalArenaPoints: ['arenaPoints'],
      credentialTier: ['tier'],
      simPnlTotal: ['pnlUsd'],
      winRate: ['wins', 'competitions'],
      totalCompetitions: ['competitions'],
      totalWins: ['wins'],
      agent: ['agentId'],
      value: ['points'],
      interval: ['points', 'competitions', 'pointsSquares'],
      rankInterval: ['sure'],
      tiedWithAbove: ['sure'],
      n: ['competitions'],
    },
    along: { agent: ({ selected }) => nestedRow(AGENT, selected) },
  };
}
