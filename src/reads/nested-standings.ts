import { type RawBuilder, sql } from 'kysely';

import { type Period, PERIODS } from '../rules/windows.ts';
import { rankIn, rankCertaintyOf } from './board.ts';
import { NO_STANDING } from './agents.ts';
import { constantText, decimalText, winRateText } from './answer-text.ts';
import {
  decimal,
  type FieldText,
  type Nested,
  nestedOne,
  nestedRow,
  plain,
  type RowKind,
  number,
  type Wanted,
} from './nested.ts';
import { extendedObject, windowObject } from './window-sums.ts';

/** The window whose sums a field of an agent shows; none where it shows what holds for all. */
const WINDOWS: Readonly<Record<string, Period | null>> = {
  totalCompetitions: 'alltime',
  totalWins: 'alltime',
  totalPoints: 'alltime',
  totalArenaPoints: 'alltime',
  simPnlTotal: 'alltime',
  winRate: 'alltime',
  roundsCompeted: 'alltime',
  simPnl30d: 'monthly',
  simPnl7d: 'weekly',
  currentStreak: null,
  bestStreak: null,
  credentialTier: null,
};

/** The standing of an agent `a` with those windows that are wanted; null where it has none. */
function standingsOf(wanted: readonly Wanted[]): Nested | null {
  const shown = wanted.flatMap(({ name }) => {
    const window = WINDOWS[name];
    return window === undefined ? [] : [window];
  });
  if (shown.length === 0) return null;
  const windows = [...new Set(shown)].filter((window) => window !== null);
  const sums = windows.map((window) => sql`${sql.lit(window)}, ${windowObject(window)}`);
  return plain(sql`(
    select json_build_object('currentStreak', s.current_streak, 'bestStreak', s.best_streak, 'tier', s.tier,
      'windows', json_build_object(${sql.join(sums)}))
    from standings s where s.agent_id = a.id)`);
}

/** An agent's fields that show its standing. */
export const STANDING_OF_AGENT: NonNullable<RowKind['whole']> = {
  property: 'standing',
  of: standingsOf,
  texts: {
    ...windowTexts(sumOf('alltime')),
    simPnl30d: decimalText(sumOf('monthly')('pnl_usd')),
    currentStreak: sql`coalesce(s.current_streak, 0)`,
    bestStreak: sql`coalesce(s.best_streak, 0)`,
    credentialTier: sql`to_json(coalesce(s.tier, ${sql.lit(NO_STANDING.tier)}))`,
  },
  from: sql`(select a.id) agent(id) left join standings s on s.agent_id = agent.id`,
};

/** How a window's sum is spelled, by the end of its column's name. */
type Sum = (name: string) => RawBuilder<unknown>;

/** Fields that are sums of a window. */
export function windowTexts(sum: Sum): Readonly<Record<string, FieldText>> {
  return {
    totalPoints: sum('points'),
    totalArenaPoints: sum('arena_points'),
    totalWins: sum('wins'),
    totalCompetitions: sum('competitions'),
    winRate: winRateText(sum('wins'), sum('competitions')),
    simPnlTotal: decimalText(sum('pnl_usd')),
  };
}

/** The columns that resolvers make these fields of. */
export function windowColumns(sum: Sum): RowKind['columns'] {
  return {
    points: plain(sum('points')),
    arenaPoints: plain(sum('arena_points')),
    wins: plain(sum('wins')),
    competitions: plain(sum('competitions')),
    pnlUsd: decimal(sum('pnl_usd')),
  };
}

export const WINDOW_NEEDS = {
  totalPoints: ['points'],
  totalArenaPoints: ['arenaPoints'],
  totalWins: ['wins'],
  totalCompetitions: ['competitions'],
  winRate: ['wins', 'competitions'],
  simPnlTotal: ['pnlUsd'],
} as const;

/** Of a standing `s` or nothing. */
function sumOf(period: Period): Sum {
  return (name) => sql`coalesce(${sql.ref(`s.${period}_${name}`)}, 0)`;
}

/** The window that a field's argument names. */
export function periodOf(args: Wanted['args']): Period {
  return PERIODS.find((period) => period === args['period']) ?? 'weekly';
}

/** The standing of an agent `a` in the window that is asked for; nothing in it where the agent has none. */
export function standingIn({ args, selected }: Wanted): Nested {
  const period = periodOf(args);
  const row = nestedRow(standingRow(period), selected);
  const found = nestedOne(row, sql`(select a.id) agent(id) left join standings s on s.agent_id = agent.id`);
  return {
    ...found,
    read: (json) => Object.assign(found.read(json) ?? {}, { period }),
  };
}

/** A standing `s` of the agent `agent`, or nothing. */
export function standingRow(period: Period): RowKind {
  const sum = sumOf(period);
  return {
    columns: {
      agentId: plain(sql`agent.id`),
      ...windowColumns(sum),
      brierSum: decimal(sum('brier_sum')),
      referenceBrierSum: decimal(sum('reference_brier_sum')),
      extendedSums: plain(extendedObject(period)),
      certainty: plain(rankCertaintyOf(period, sql`agent.id`)),
    },
    always: [],
    needs: {
      rank: ['agentId'],
      ...WINDOW_NEEDS,
      ...CERTAINTY_FIELDS,
      ...Object.fromEntries(['brier', 'referenceBrier', 'skill'].map((name) => [name, BRIER])),
    },
    texts: { __typename: constantText('Standing'), period: constantText(period), ...windowTexts(sum) },
    along: {
      rank: () => number(sql`case when ${sql.ref(`s.${period}_competitions`)} > 0 then ${rankIn(period)} end`),
    },
  };
}

const CERTAINTY_FIELDS = {
  skillInterval: ['competitions', 'brierSum', 'referenceBrierSum', 'extendedSums'],
  pointsPerRound: ['points', 'competitions', 'extendedSums'],
  hitRateInterval: ['wins', 'competitions'],
  edge: ['competitions', 'extendedSums'],
  luck: ['wins', 'competitions', 'pnlUsd', 'extendedSums'],
  contribution: ['extendedSums'],
  peerScore: ['extendedSums'],
  rankInterval: ['certainty'],
  tiedWithAbove: ['certainty'],
};

const BRIER = ['competitions', 'brierSum', 'referenceBrierSum'];
