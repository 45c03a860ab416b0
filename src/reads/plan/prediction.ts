import { sql } from 'kysely';

import { SCORES } from '../scores.ts';
import { byAlias } from './by-alias.ts';
import { parts, queries } from './parts.ts';
import { one, plain, type RowOf, rowType } from './plan.ts';

const TABLES = { p: 'predictions', a: 'agents', r: 'rounds', s: 'scores', w: 'rationales' } as const;
const { p, a, r, s, w } = byAlias(TABLES, 's', 'w');

const ROUND_OF_PREDICTION = parts.selectFrom('rounds as r').where('r.id', '=', p('round_id'));

/** The score in force of a prediction `p`. Looked up one by one: joined, the planner reads all scores for each page. */
export const SCORE = parts
  .selectFrom(SCORES.as('t'))
  .selectAll()
  .where('t.round_id', '=', p('round_id'))
  .where('t.agent_id', '=', p('agent_id'))
  .limit(sql.lit(1));

/** One join for all of them. */
const OF_ROUND = r.plain('question', 'question_type', 'outcome');

/** From the rationale, unless it is hidden; most predictions have none. */
const WORDS = {
  ...w.plain('rationale', 'model'),
  rationaleLength: plain(parts.fn<number | null>('char_length', [w('rationale')])),
};

const COLUMNS = {
  ...p.plain('id', 'agent_id', 'round_id', 'prediction', 'confidence', 'standing'),
  ...p.instant('submitted_at', 'set_at'),
  agentName: plain(a('name')),
  ...OF_ROUND,
  ...s.plain('score', 'is_correct', 'streak_bonus', 'place', 'arena_points'),
  ...s.decimal('pnl_usd', 'brier'),
  /** In the units of rules/payoffs.ts, like the next three. */
  edge: plain(parts.fn.coalesce(s('edge_millionths'), s('standing_edge_millionths'))),
  contribution: plain(s('contribution_billionths')),
  peerScore: plain(s('peer_millionths')),
  arenaEdge: plain(s('arena_edge_millionths')),
  ...WORDS,
};

type AcceptedColumn = 'id' | 'agentId' | 'agentName' | 'roundId' | 'prediction' | 'confidence' | 'submittedAt';

/** A prediction; one just accepted, or only checked, has nothing but the columns of `AcceptedColumn`. */
export interface PredictionRow
  extends Pick<RowOf<typeof COLUMNS>, AcceptedColumn>, Partial<Omit<RowOf<typeof COLUMNS>, AcceptedColumn>> {
  readonly replayed?: boolean;
  /** It was only checked, and is not stored. */
  readonly dryRun?: boolean;
  /** The hash of its leaf in the log, in the answer to a submission. */
  readonly leafHash?: string;
}

/** A row `p` of `predictions`, with its agent `a` and its score `s` or nothing. */
export const PREDICTION = rowType({
  columns: COLUMNS,
  needs: {
    leadSeconds: ['submittedAt'],
    reference: ['roundId', 'submittedAt'],
    // Agent and round decide who may read these.
    rationale: ['rationale', 'agentId', 'roundId'],
    rationaleLength: ['rationaleLength', 'agentId', 'roundId'],
    model: ['model', 'agentId', 'roundId'],
  },
  joined: [
    { columns: OF_ROUND, from: ROUND_OF_PREDICTION },
    {
      columns: WORDS,
      from: parts
        .selectFrom(queries.selectNoFrom([]).as('of'))
        .leftJoin('rationales as w', (join) =>
          join.on('w.round_id', '=', p('round_id')).on('w.agent_id', '=', p('agent_id')).on('w.hidden_at', 'is', null),
        ),
    },
  ],
  nested: {
    agent: ({ selected }, { agent }) => agent(selected),
    round: ({ selected }, { round }) => one(round(selected), ROUND_OF_PREDICTION),
  },
});
