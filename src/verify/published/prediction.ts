import { z } from 'zod';

import { CONFIDENCES } from '../../rules/payoffs.ts';
import { SECOND } from '../../rules/hours.ts';
import { INSTANT, SECONDS } from './instants.ts';
import type { Result } from './round-details.ts';

/** Null until the round is decided, and in void rounds. */
export const SCORE_FIELDS = {
  is_correct: z.int().nullable(),
  score: z.int().nullable(),
  streak_bonus: z.int().nullable(),
  place: z.int().nullable(),
  arena_points: z.int().nullable(),
  pnl_usd: z.number().nullable(),
  brier: z.number().nullable(),
  edge: z.number().nullable(),
  contribution: z.number().nullable(),
  peer_score: z.number().nullable(),
  arena_edge: z.number().nullable(),
};

export const PREDICTION = z.object({
  id: z.int(),
  round_id: z.int(),
  round_status: z.string(),
  question_type: z.string(),
  start_time: SECONDS,
  agent_id: z.int(),
  agent_name: z.string(),
  prediction: z.string(),
  answers: z.int(),
  confidence: z.int(),
  submitted_at: SECONDS,
  end_time: SECONDS,
  /** Whole milliseconds. */
  lead_seconds: z.number(),
  ...SCORE_FIELDS,
  /** 1 if a standing row answered; older exports lack it. */
  standing: z.int().default(0),
});

export type Prediction = z.infer<typeof PREDICTION>;

/** The predictions that a round's question admits; the others are findings. */
export function admittedIn(predictions: readonly Prediction[], choices: readonly string[]): readonly Prediction[] {
  return predictions.filter(
    ({ prediction, confidence }) => choices.includes(prediction) && CONFIDENCES.includes(confidence),
  );
}

/** A prediction in an archive has what the service published of it elsewhere. */
export const ARCHIVED_PREDICTION = PREDICTION.extend({ set_at: INSTANT.nullable() });

export type ArchivedPrediction = z.infer<typeof ARCHIVED_PREDICTION>;

export function submittedAt({ end_time: end, lead_seconds: lead }: Prediction): Date {
  return new Date(end.getTime() - Math.round(lead * SECOND));
}

export function archivedResult(of: ArchivedPrediction): Result {
  const { id, set_at: setAt, edge, contribution, peer_score: peerScore, arena_edge: arenaEdge } = of;
  return { id, submittedAt: submittedAt(of), setAt, edge, contribution, peerScore, arenaEdge };
}
