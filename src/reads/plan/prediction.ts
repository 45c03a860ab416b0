import { sql } from 'kysely';

import { byAlias } from './by-alias.ts';
import { one, plain, type RowOf, rowType } from './plan.ts';

const TABLES = { p: 'predictions', a: 'agents', r: 'rounds', s: 'scores', w: 'rationales' } as const;
const { p, a, r, s, w } = byAlias(TABLES, 's', 'w');

const ROUND_OF_PREDICTION = sql`rounds r where r.id = p.round_id`;

/** What the agent said beside, unless that is hidden; of most there is nothing. */
const WORDS = {
  ...w.plain('rationale', 'model'),
  rationaleLength: plain<number | null>(sql`char_length(${w('rationale')})`),
};

const COLUMNS = {
  ...p.plain('id', 'agent_id', 'round_id', 'prediction', 'confidence', 'standing'),
  ...p.instant('submitted_at', 'set_at'),
  agentName: plain(a('name')),
  question: one(plain(r('question')), ROUND_OF_PREDICTION),
  questionType: one(plain(r('question_type')), ROUND_OF_PREDICTION),
  outcome: one(plain(r('outcome')), ROUND_OF_PREDICTION),
  ...s.plain('score', 'is_correct', 'streak_bonus', 'place', 'arena_points'),
  ...s.decimal('pnl_usd', 'brier'),
  /** In the units of rules/payoffs.ts, like those that follow. */
  edge: plain<number | null>(sql`coalesce(${s('edge_millionths')}, ${s('standing_edge_millionths')})`),
  contribution: plain(s('contribution_billionths')),
  peerScore: plain(s('peer_millionths')),
  arenaEdge: plain(s('arena_edge_millionths')),
  ...WORDS,
};

/** What is known of every prediction. */
type Sent = 'id' | 'agentId' | 'agentName' | 'roundId' | 'prediction' | 'confidence' | 'submittedAt';

/** A prediction; of one that was only just taken, or only checked, nothing is known but what was sent. */
export interface PredictionRow extends Pick<RowOf<typeof COLUMNS>, Sent>, Partial<Omit<RowOf<typeof COLUMNS>, Sent>> {
  readonly replayed?: boolean;
  /** It was only checked, and is not stored. */
  readonly dryRun?: boolean;
}

/** A row `p` of `predictions`, with its agent `a` and its score `s` or nothing. */
export const PREDICTION = rowType({
  columns: COLUMNS,
  needs: {
    leadSeconds: ['submittedAt'],
    reference: ['roundId', 'submittedAt'],
    // Who may see them follows from whose they are, and from the round.
    rationale: ['rationale', 'agentId', 'roundId'],
    rationaleLength: ['rationaleLength', 'agentId', 'roundId'],
    model: ['model', 'agentId', 'roundId'],
  },
  joined: {
    columns: WORDS,
    from: sql`(select) of left join rationales w on w.round_id = p.round_id and w.agent_id = p.agent_id and w.hidden_at is null`,
  },
  nested: {
    agent: ({ selected }, { agent }) => agent(selected),
    round: ({ selected }, { round }) => one(round(selected), ROUND_OF_PREDICTION),
  },
});
