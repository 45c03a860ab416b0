import { type RawBuilder, sql } from 'kysely';

import type { Tier } from '../rules/tiers.ts';
import { type Period, PERIODS } from '../rules/windows.ts';

/** An agent's sums over the resolved rounds of one window that it predicted. */
export interface WindowFigures {
  readonly points: number;
  readonly arenaPoints: number;
  readonly wins: number;
  readonly competitions: number;
  readonly pnlUsd: string;
  readonly brierSum: string;
  readonly referenceBrierSum: string;
}

/** What an agent's scored predictions add up to. */
export interface StandingRow {
  readonly windows: Readonly<Record<Period, WindowFigures>>;
  readonly currentStreak: number;
  readonly bestStreak: number;
  readonly tier: Tier;
}

/** A standing `s` as one value `standing`, null where the agent has none. Exact sums come as text. */
export const STANDING_COLUMN: RawBuilder<unknown> = sql`
  case when s.agent_id is not null then json_build_object(
    'currentStreak', s.current_streak, 'bestStreak', s.best_streak, 'tier', s.tier,
    'windows', json_build_object(${sql.join(PERIODS.map((period) => sql`${sql.lit(period)}, ${windowObject(period)}`))})
  ) end as standing`;

function windowObject(period: Period): RawBuilder<unknown> {
  const sum = (name: string): RawBuilder<unknown> => sql.ref(`s.${period}_${name}`);
  return sql`json_build_object('points', ${sum('points')}, 'arenaPoints', ${sum('arena_points')}, 'wins', ${sum('wins')},
    'competitions', ${sum('competitions')}, 'pnlUsd', ${sum('pnl_usd')}::text, 'brierSum', ${sum('brier_sum')}::text,
    'referenceBrierSum', ${sum('reference_brier_sum')}::text)`;
}

const NOTHING: WindowFigures = {
  points: 0,
  arenaPoints: 0,
  wins: 0,
  competitions: 0,
  pnlUsd: '0',
  brierSum: '0',
  referenceBrierSum: '0',
};

/** Before its first scored prediction an agent's standing is this. */
export const NO_STANDING: StandingRow = {
  windows: { daily: NOTHING, weekly: NOTHING, monthly: NOTHING, alltime: NOTHING },
  currentStreak: 0,
  bestStreak: 0,
  tier: 'bronze',
};
