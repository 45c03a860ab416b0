import { type RawBuilder, sql } from 'kysely';

import { PAGE_SIZES } from '../limits.ts';
import { ARENA_POINTS_POOL, VERTICAL_ID } from '../rules/round-states.ts';
import { UNITS } from '../rules/payoffs.ts';
import { constantText, decimalText, figureText, floatText, membersText, timeText } from './answer-text.ts';
import {
  columnsOf,
  decimal,
  instant,
  type Nested,
  nestedMany,
  nestedOne,
  nestedRow,
  numbersOf,
  ofParent,
  type RowKind,
  string,
  stringsOf,
  type Wanted,
} from './nested.ts';
import { AGREED_CANDLE, EVIDENCE, ROUND_ASSET } from './nested-candles.ts';
import { nestedPage } from './nested-page.ts';
import { STANDING_OF_AGENT, standingIn } from './nested-standings.ts';
import { pageSize, pageParts } from './paging.ts';
import { predictionsOfAgent, predictionsOfRound } from './prediction-lists.ts';
import { type AgentPredictionsRequest, agentPageOf, roundPageOf } from './prediction-pages.ts';

/** A round `r`. */
export const ROUND: RowKind = {
  columns: {
    ...numbersOf('r', { id: 'id', totalEntries: 'total_entries', resolutionValue: 'resolution_value' }),
    ...stringsOf('r', {
      status: 'status',
      question: 'question',
      questionType: 'question_type',
      predictionFormat: 'prediction_format',
      source: 'source',
      outcome: 'outcome',
      voidReason: 'void_reason',
      voidNote: 'void_note',
    }),
    ...columnsOf('r', {
      choices: 'choices',
      subject: 'subject',
      operator: 'operator',
      n: 'n',
      difficultyMillionths: 'difficulty_millionths',
      rulesVersion: 'rules_version',
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
    crowd: ['status', 'choices', 'totalEntries'],
    crowdHistory: ['status', 'choices', 'startTime', 'totalEntries'],
    results: ['status', 'endTime'],
    reference: ['startTime', 'status'],
    quotes: [],
    referenceBasis: ['startTime'],
  },
  texts: {
    __typename: constantText('Round'),
    choices: sql`to_json(array(select jsonb_array_elements_text(r.choices)))`,
    startTime: ({ args }) => timeText(sql`r.start_time`, args['format']),
    endTime: ({ args }) => timeText(sql`r.end_time`, args['format']),
    decidedAt: timeText(sql`r.decided_at`),
    arenaPointsPool: sql.lit(ARENA_POINTS_POOL),
    verticalId: sql.lit(VERTICAL_ID),
    difficulty: figureText(sql`r.difficulty_millionths`, UNITS.difficulty),
    params: ({ selected }) => paramsText(selected),
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
      const found = nestedPage(list, page, { ...PREDICTIONS, selected: wanted.selected });
      return found && ofParent(sql`r.id`, found);
    },
  },
};

function ofRound(kind: RowKind, selected: readonly Wanted[], from: RawBuilder<unknown>): Nested {
  return nestedMany(nestedRow(kind, selected), from);
}

function paramsText(selected: readonly Wanted[]): RawBuilder<unknown> | undefined {
  return membersText(selected, {
    __typename: () => constantText('QuestionParams'),
    subject: () => sql`to_json(r.subject)`,
    operator: () => sql`to_json(r.operator)`,
    thresholdPct: () => floatText(sql`r.threshold_pct`),
    n: () => sql`r.n`,
  });
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
    ...numbersOf('p', { id: 'id', agentId: 'agent_id', roundId: 'round_id', confidence: 'confidence' }),
    ...numbersOf('s', { score: 'score', streakBonus: 'streak_bonus', place: 'place', arenaPoints: 'arena_points' }),
    ...columnsOf('s', {
      isCorrect: 'is_correct',
      edge: 'edge_millionths',
      contribution: 'contribution_billionths',
      peerScore: 'peer_millionths',
    }),
    prediction: string(sql`p.prediction`),
    agentName: string(sql`a.name`),
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
  texts: {
    __typename: constantText('Prediction'),
    submittedAt: ({ args }) => timeText(sql`p.submitted_at`, args['format']),
    isCorrect: sql`s.is_correct::int`,
    pnlUsd: decimalText(sql`s.pnl_usd`),
    edge: figureText(sql`s.edge_millionths`, UNITS.edge),
    contribution: figureText(sql`s.contribution_billionths`, UNITS.contribution),
    peerScore: figureText(sql`s.peer_millionths`, UNITS.peer),
    replayed: sql`false`,
    dryRun: sql`false`,
  },
  along: {
    agent: ({ selected }) => nestedRow(AGENT, selected),
    round: ({ selected }) => nestedOne(nestedRow(ROUND, selected), ROUND_OF_PREDICTION),
    question: () => nestedOne(string(sql`r.question`), ROUND_OF_PREDICTION),
    questionType: () => nestedOne(string(sql`r.question_type`), ROUND_OF_PREDICTION),
  },
};

const PREDICTIONS = {
  rowName: 'Prediction',
  rowOf: (wanted: readonly Wanted[]): Nested => nestedRow(PREDICTION, wanted),
};

const ROUND_OF_PREDICTION = sql`rounds r where r.id = p.round_id`;

/** The predictions that an agent shows without being asked for a page. */
const RECENT: AgentPredictionsRequest = { first: 20 };

/** An agent `a`. */
export const AGENT: RowKind = {
  columns: {
    ...numbersOf('a', { id: 'id' }),
    ...stringsOf('a', { name: 'name', mode: 'mode' }),
    registeredAt: instant(sql`a.registered_at`),
  },
  always: ['id'],
  needs: {},
  texts: { __typename: constantText('Agent') },
  whole: STANDING_OF_AGENT,
  along: {
    standing: standingIn,
    predictions(wanted) {
      const { list, page } = agentPageOf(wanted.args);
      const found = nestedPage(list, page, { ...PREDICTIONS, selected: wanted.selected });
      return found && ofParent(sql`a.id`, found);
    },
    recentPredictions({ selected }) {
      const { from, where, inOrder } = pageParts(predictionsOfAgent(RECENT, 'NEWEST'), null);
      const page = sql`${from} where ${where} order by ${inOrder} limit ${sql.lit(RECENT.first)}`;
      return ofParent(sql`a.id`, nestedMany(nestedRow(PREDICTION, selected), page));
    },
  },
};
