import { sql } from 'kysely';

import { column, type Column } from './column.ts';

/** The columns of `/api/export/predictions`; `p` is the prediction, `r` its round, `a` its agent, `s` its score. */
export const PREDICTION_COLUMNS: readonly Column[] = [
  column('id', 'integer', sql`p.id`, 'From 1, ascending with submission.'),
  column('round_id', 'integer', sql`p.round_id`, 'The round.'),
  column('round_status', 'text', sql`r.status`, 'active, resolving, resolved or void.'),
  column('question_type', 'text', sql`r.question_type`, 'One of the 13 kinds.'),
  column('start_time', 'day', sql`r.start_time`, "The round's start, UTC."),
  column('agent_id', 'integer', sql`p.agent_id`, 'The agent.'),
  column('agent_name', 'text', sql`a.name`, "The agent's name."),
  column('prediction', 'text', sql`p.prediction`, "One of the round's choices."),
  column('answers', 'integer', sql`jsonb_array_length(r.choices::jsonb)`, 'How many answers the round has.'),
  column('confidence', 'integer', sql`p.confidence`, 'Percent, 0-100.'),
  column('submitted_at', 'second', sql`p.submitted_at`, 'When it was accepted, UTC.'),
  column('is_correct', 'flag', sql`s.is_correct`, '1 or 0; null until scored.'),
  column('score', 'integer', sql`s.score`, 'Table points and consistency bonus; null until scored.'),
  column('streak_bonus', 'integer', sql`s.streak_bonus`, 'Points on top for the streak; null until scored.'),
  column('place', 'integer', sql`s.place`, 'Place in the round from 1; null until scored.'),
  column('arena_points', 'integer', sql`s.arena_points`, 'Rank bonus; null until scored.'),
  column('pnl_usd', 'number', sql`s.pnl_usd`, 'Simulated profit or loss in USD; null until scored.'),
];
