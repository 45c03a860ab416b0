import { z } from 'zod';

import { SECONDS } from './instants.ts';

/** A prediction and what it earned, as the export of predictions shows it. */
export const PREDICTION = z.object({
  id: z.int(),
  round_id: z.int(),
  agent_id: z.int(),
  agent_name: z.string(),
  prediction: z.string(),
  answers: z.int(),
  confidence: z.int(),
  submitted_at: SECONDS,
  is_correct: z.int().nullable(),
  score: z.int().nullable(),
  streak_bonus: z.int().nullable(),
  place: z.int().nullable(),
  arena_points: z.int().nullable(),
  pnl_usd: z.number().nullable(),
  /** 1 where the service made it of a standing one; exports from before there were any do not have it. */
  standing: z.int().default(0),
});

export type Prediction = z.infer<typeof PREDICTION>;
