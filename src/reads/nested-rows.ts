import { type RawBuilder, sql } from 'kysely';

import { PAGE_SIZES } from '../limits.ts';
import type { Period } from '../rules/windows.ts';
import { windowObject } from './agents.ts';
import {
  decimal,
  instant,
  type Nested,
  nestedMany,
  nestedOne,
  nestedRow,
  ofParent,
  plain,
  type RowKind,
  type Wanted,
} from './nested.ts';
import { nestedPage } from './nested-page.ts';
import { pageSize, pageParts } from './paging.ts';
import { predictionsOfAgent, predictionsOfRound } from './prediction-lists.ts';
import {
  type AgentPredictionsRequest,
  agentPageOf,
  type RoundPredictionsRequest,
  roundPageOf,
} from './prediction-pages.ts';

const ref = (column: string): RawBuilder<unknown> => sql.ref(column);
const columns = <Name extends string>(alias: string, names: Readonly<Record<Name, string>>) =>
  Object.fromEntries(
    Object.entries<string>(names).map(([property, name]) => [property, plain(ref(`${alias}.${name}`))]),
  );

/** The arguments of a field, which the schema has checked. */
function argsOf<Args extends object>({ args }: Wanted): Args {
  return args as Args;
}

/** A round `r`. */
export const ROUND: RowKind = {
  columns: {
    ...columns('r', {
      id: 'id',
      status: 'status',
      question: 'question',
      questionType: 'question_type',
      predictionFormat: 'prediction_format',
      choices: 'choices',
      subject: 'subject',
      operator: 'operator',
      n: 'n',
      source: 'source',
      totalEntries: 'total_entries',
      outcome: 'outcome',
      resolutionValue: 'resolution_value',
      voidReason: 'void_reason',
      voidNote: 'void_note',
    }),
    thresholdPct: decimal(sql`r.threshold_pct`),
    startTime: instant(sql`r.start_time`),
    endTime: instant(sql`r.end_time`),
    decidedAt: instant(sql`r.decided_at`),
  },
  always: ['id'],
  needs: {
    params: ['subject', 'operator', 'thresholdPct', 'n'],
    timeRemainingSeconds: ['endTime'],
    crowd: ['status', 'choices'],
    results: ['status', 'endTime'],
  },
  along: {
    assets: ({ selected }) =>
      ofRound(ROUND_ASSET, selected, sql`round_assets t where t.round_id = r.id order by t.position`),
    evidence: ({ selected }) =>
      ofRound(EVIDENCE, selected, sql`candles t where t.round_id = r.id order by t.hour_start, t.asset, t.source`),
    agreedCandles: ({ selected }) =>
      ofRound(AGREED_CANDLE, selected, sql`agreed_candles t where t.round_id = r.id order by t.hour_start, t.asset`),
    entries: (wanted) => entries(wanted),
    predictions(wanted) {
      const { list, page } = roundPageOf(argsOf<RoundPredictionsRequest>(wanted));
      const found = nestedPage(list, page, { kind: PREDICTION, selected: wanted.selected });
      return found && ofParent(sql`r.id`, found);
    },
  },
};

function ofRound(kind: RowKind, selected: readonly Wanted[], from: RawBuilder<unknown>): Nested {
  return nestedMany(nestedRow(kind, selected), from);
}

function entries({ args, selected }: Wanted): Nested {
  const { limit, after } = args as { readonly limit?: number | null; readonly after?: number | null };
  const behind = after ?? 0;
  const { from, where, inOrder } = pageParts(predictionsOfRound({}, 'OLDEST'), behind === 0 ? null : [behind]);
  const size = pageSize('limit', limit, PAGE_SIZES.entries);
  const rows = nestedMany(
    nestedRow(PREDICTION, selected),
    sql`${from} where ${where} order by ${inOrder} limit ${sql.lit(size)}`,
  );
  return ofParent(sql`r.id`, rows);
}

/** An asset of a round, `t`. */
const ROUND_ASSET: RowKind = {
  columns: {
    ...columns('t', { asset: 'asset', providerId: 'provider_id' }),
    open: decimal(sql`t.open`),
    high: decimal(sql`t.high`),
    low: decimal(sql`t.low`),
    close: decimal(sql`t.close`),
    returnPct: decimal(sql`t.return_pct`),
  },
  always: [],
  needs: { symbol: ['asset'], startPriceUsd: ['open'], endPriceUsd: ['close'], highUsd: ['high'], lowUsd: ['low'] },
  along: {},
};

const CANDLE_NEEDS = { symbol: ['asset'], openUsd: ['open'], highUsd: ['high'], lowUsd: ['low'], closeUsd: ['close'] };

/** A source's candle, `t`. */
const EVIDENCE: RowKind = {
  columns: {
    ...columns('t', {
      asset: 'asset',
      source: 'source',
      open: 'open',
      high: 'high',
      low: 'low',
      close: 'close',
      volume: 'volume',
      bodyHash: 'body_hash',
      counted: 'counted',
      leftOut: 'left_out',
    }),
    hourStart: instant(sql`t.hour_start`),
    sourceTime: instant(sql`t.source_time`),
    fetchedAt: instant(sql`t.fetched_at`),
  },
  always: [],
  needs: CANDLE_NEEDS,
  along: {},
};

/** A candle that sources agreed on, `t`. */
const AGREED_CANDLE: RowKind = {
  columns: {
    ...columns('t', { asset: 'asset' }),
    hourStart: instant(sql`t.hour_start`),
    open: decimal(sql`t.open`),
    high: decimal(sql`t.high`),
    low: decimal(sql`t.low`),
    close: decimal(sql`t.close`),
    volume: decimal(sql`t.volume`),
  },
  always: [],
  needs: CANDLE_NEEDS,
  along: {},
};

/** A prediction `p`, with its agent `a` and its score `s` or nothing. */
export const PREDICTION: RowKind = {
  columns: {
    ...columns('p', {
      id: 'id',
      agentId: 'agent_id',
      roundId: 'round_id',
      prediction: 'prediction',
      confidence: 'confidence',
    }),
    ...columns('s', {
      score: 'score',
      isCorrect: 'is_correct',
      streakBonus: 'streak_bonus',
      place: 'place',
      arenaPoints: 'arena_points',
    }),
    agentName: plain(sql`a.name`),
    submittedAt: instant(sql`p.submitted_at`),
    pnlUsd: decimal(sql`s.pnl_usd`),
  },
  always: [],
  needs: { agent: ['agentId'], round: ['roundId'], question: ['roundId'], questionType: ['roundId'] },
  along: {
    agent: ({ selected }) => nestedRow(AGENT, selected),
    round: ({ selected }) => nestedOne(nestedRow(ROUND, selected), ROUND_OF_PREDICTION),
    question: () => nestedOne(plain(sql`r.question`), ROUND_OF_PREDICTION),
    questionType: () => nestedOne(plain(sql`r.question_type`), ROUND_OF_PREDICTION),
  },
};

const ROUND_OF_PREDICTION = sql`rounds r where r.id = p.round_id`;

/** The predictions that an agent shows without being asked for a page. */
const RECENT: AgentPredictionsRequest = { first: 20 };

/** An agent `a`. */
export const AGENT: RowKind = {
  columns: {
    ...columns('a', { id: 'id', name: 'name', mode: 'mode' }),
    registeredAt: instant(sql`a.registered_at`),
  },
  always: ['id'],
  needs: {},
  whole: { property: 'standing', of: standingOf },
  along: {
    predictions(wanted) {
      const { list, page } = agentPageOf(argsOf<AgentPredictionsRequest>(wanted));
      const found = nestedPage(list, page, { kind: PREDICTION, selected: wanted.selected });
      return found && ofParent(sql`a.id`, found);
    },
    recentPredictions({ selected }) {
      const { from, where, inOrder } = pageParts(predictionsOfAgent(RECENT, 'NEWEST'), null);
      const page = sql`${from} where ${where} order by ${inOrder} limit ${sql.lit(RECENT.first)}`;
      return ofParent(sql`a.id`, nestedMany(nestedRow(PREDICTION, selected), page));
    },
  },
};

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

/** Of the standing those windows that are wanted; null where the agent has none. */
function standingOf(wanted: readonly Wanted[]): Nested | null {
  const shown = wanted.flatMap(({ name, args }) => {
    if (name === 'standing') return [(args['period'] ?? 'weekly') as Period];
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

/** A row of the board: its place `b`, the agent `a` and its standing `s`, whose sums are the window's. */
export function boardRow(period: Period): RowKind {
  const sum = (name: string): RawBuilder<unknown> => ref(`s.${period}_${name}`);
  return {
    columns: {
      ...columns('s', { currentStreak: 'current_streak', bestStreak: 'best_streak', tier: 'tier' }),
      rank: plain(sql`b.rank`),
      agentId: plain(sql`b.agent_id`),
      name: plain(sql`a.name`),
      points: plain(sum('points')),
      arenaPoints: plain(sum('arena_points')),
      wins: plain(sum('wins')),
      competitions: plain(sum('competitions')),
      pnlUsd: decimal(sum('pnl_usd')),
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
    },
    along: { agent: ({ selected }) => nestedRow(AGENT, selected) },
  };
}
