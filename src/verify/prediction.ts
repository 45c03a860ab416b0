import { z } from 'zod';

import { SECONDS } from './instants.ts';

export const PREDICTION = z.object({
  id: z.int(),
  round_id: z.int(),
  agent_id: z.int(),
  agent_name: z.string(),
  prediction: z.string(),
  answers: z.int(),
  confidence: z.int(),
  submitted_at: SECONDS,
  end_time: SECONDS,
  /** Whole milliseconds. */
  lead_seconds: z.number(),
  is_correct: z.int().nullable(),
  score: z.int().nullable(),
  streak_bonus: z.int().nullable(),
  place: z.int().nullable(),
  arena_points: z.int().nullable(),
  pnl_usd: z.number().nullable(),
  /** 1 if a standing row answered; older exports lack it. */
  standing: z.int().default(0),
});

export type Prediction = z.infer<typeof PREDICTION>;
