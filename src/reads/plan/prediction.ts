import { sql } from 'kysely';

import type { QuestionType } from '../../rules/questions/question.ts';
import { instant, instantOrNull, one, plain, type RowOf, rowType } from './plan.ts';

const ROUND_OF_PREDICTION = sql`rounds r where r.id = p.round_id`;

/** What the agent said beside, unless that is hidden; of most there is nothing. */
const WORDS = {
  rationale: plain<string | null>(sql`w.rationale`),
  rationaleLength: plain<number | null>(sql`char_length(w.rationale)`),
  model: plain<string | null>(sql`w.model`),
};

const COLUMNS = {
  id: plain<number>(sql`p.id`),
  agentId: plain<number>(sql`p.agent_id`),
  agentName: plain<string>(sql`a.name`),
  roundId: plain<number>(sql`p.round_id`),
  prediction: plain<string>(sql`p.prediction`),
  confidence: plain<number>(sql`p.confidence`),
  submittedAt: instant(sql`p.submitted_at`),
  standing: plain<boolean>(sql`p.standing`),
  setAt: instantOrNull(sql`p.set_at`),
  question: plain<string>(sql`(select r.question from ${ROUND_OF_PREDICTION})`),
  questionType: plain<QuestionType>(sql`(select r.question_type from ${ROUND_OF_PREDICTION})`),
  score: plain<number | null>(sql`s.score`),
  isCorrect: plain<boolean | null>(sql`s.is_correct`),
  streakBonus: plain<number | null>(sql`s.streak_bonus`),
  place: plain<number | null>(sql`s.place`),
  arenaPoints: plain<number | null>(sql`s.arena_points`),
  pnlUsd: plain<string | null>(sql`s.pnl_usd::text`),
  outcome: plain<string | null>(sql`(select r.outcome from ${ROUND_OF_PREDICTION})`),
  brier: plain<string | null>(sql`s.brier::text`),
  /** In the units of rules/payoffs.ts, like those that follow. */
  edge: plain<number | null>(sql`coalesce(s.edge_millionths, s.standing_edge_millionths)`),
  contribution: plain<number | null>(sql`s.contribution_billionths`),
  peerScore: plain<number | null>(sql`s.peer_millionths`),
  arenaEdge: plain<number | null>(sql`s.arena_edge_millionths`),
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
