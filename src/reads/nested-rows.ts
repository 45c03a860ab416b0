import { type RawBuilder, sql } from 'kysely';

import { PAGE_SIZES } from '../limits.ts';
import {
  columnsOf,
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
import { AGREED_CANDLE, EVIDENCE, ROUND_ASSET } from './nested-candles.ts';
import { nestedPage } from './nested-page.ts';
import { standingIn, standingsOf } from './nested-standings.ts';
import { pageSize, pageParts } from './paging.ts';
import { predictionsOfAgent, predictionsOfRound } from './prediction-lists.ts';
import { type AgentPredictionsRequest, agentPageOf, roundPageOf } from './prediction-pages.ts';

/** A round `r`. */
export const ROUND: RowKind = {
  columns: {
    ...columnsOf('r', {
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
      difficultyMillionths: 'difficulty_millionths',
    }),
    thresholdPct: decimal(sql`r.threshold_pct`),
    startTime: instant(sql`r.start_time`),
    endTime: instant(sql`r.end_time`),
    decidedAt: instant(sql`r.decided_at`),
  },
  always: ['id'],
  needs: {
    difficulty: ['difficultyMillionths'],
    params: ['subject', 'operator', 'thresholdPct', 'n'],
    timeRemainingSeconds: ['endTime'],
    crowd: ['status', 'choices'],
    crowdHistory: ['status', 'choices', 'startTime'],
    results: ['status', 'endTime'],
    reference: ['startTime', 'status'],
    quotes: [],
    referenceBasis: ['startTime'],
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
      const { list, page } = roundPageOf(wanted.args);
      const found = nestedPage(list, page, { kind: PREDICTION, selected: wanted.selected });
      return found && ofParent(sql`r.id`, found);
    },
  },
};

function ofRound(kind: RowKind, selected: readonly Wanted[], from: RawBuilder<unknown>): Nested {
  return nestedMany(nestedRow(kind, selected), from);
}

interface EntriesArguments {
  readonly limit?: number | null;
  readonly after?: number | null;
}

function entries({ args, selected }: Wanted): Nested {
  const { limit, after }: EntriesArguments = args;
  const behind = after ?? 0;
  const { from, where, inOrder } = pageParts(predictionsOfRound({}, 'OLDEST'), behind === 0 ? null : [behind]);
  const size = pageSize('limit', limit, PAGE_SIZES.entries);
  const rows = nestedMany(
    nestedRow(PREDICTION, selected),
    sql`${from} where ${where} order by ${inOrder} limit ${sql.lit(size)}`,
  );
  return ofParent(sql`r.id`, rows);
}

/** A prediction `p`, with its agent `a` and its score `s` or nothing. */
export const PREDICTION: RowKind = {
  columns: {
    ...columnsOf('p', {
      id: 'id',
      agentId: 'agent_id',
      roundId: 'round_id',
      prediction: 'prediction',
      confidence: 'confidence',
    }),
    ...columnsOf('s', {
      score: 'score',
      isCorrect: 'is_correct',
      streakBonus: 'streak_bonus',
      place: 'place',
      arenaPoints: 'arena_points',
      edge: 'edge_millionths',
      contribution: 'contribution_billionths',
      peerScore: 'peer_millionths',
    }),
    agentName: plain(sql`a.name`),
    submittedAt: instant(sql`p.submitted_at`),
    pnlUsd: decimal(sql`s.pnl_usd`),
  },
  always: [],
  needs: {
    agent: ['agentId'],
    round: ['roundId'],
    question: ['roundId'],
    questionType: ['roundId'],
    leadSeconds: ['submittedAt'],
    reference: ['roundId', 'submittedAt'],
  },
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
    ...columnsOf('a', { id: 'id', name: 'name', mode: 'mode' }),
    registeredAt: instant(sql`a.registered_at`),
  },
  always: ['id'],
  needs: {},
  whole: { property: 'standing', of: standingsOf },
  along: {
    standing: standingIn,
    predictions(wanted) {
      const { list, page } = agentPageOf(wanted.args);
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
