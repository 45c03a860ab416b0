import { z } from 'zod';

import { ASSETS } from '../../rules/assets.ts';
import { OPERATORS, PREDICTION_FORMATS, QUESTION_TYPES } from '../../rules/questions/question.ts';
import { DECIDED_STATUSES, VOID_REASONS } from '../../rules/round-states.ts';
import { RULES_VERSIONS } from '../../rules/versions.ts';
import { INSTANT, SECONDS } from './instants.ts';

/** A row of the export of rounds; its assets' prices are additional fields. */
export const DECIDED_ROUND = z.looseObject({
  id: z.int(),
  question: z.string(),
  question_type: z.enum(QUESTION_TYPES),
  prediction_format: z.enum(PREDICTION_FORMATS),
  choices: z.array(z.string()),
  subject: z.enum(ASSETS).nullable(),
  operator: z.enum(OPERATORS).nullable(),
  threshold_pct: z.number().nullable(),
  n: z.int().nullable(),
  start_time: SECONDS,
  end_time: SECONDS,
  status: z.enum(DECIDED_STATUSES),
  total_entries: z.int(),
  source: z.string(),
  outcome: z.string().nullable(),
  resolution_value: z.int().nullable(),
  void_reason: z.enum(VOID_REASONS).nullable(),
  decided_at: INSTANT,
  amended_at: INSTANT.nullable(),
  // Services older than versions of the rules omit it.
  rules_version: z.literal(RULES_VERSIONS).default(1),
  /** 1 if only an archive of its month has its predictions; older exports lack it. */
  archived: z.int().default(0),
});

export type DecidedRound = z.infer<typeof DECIDED_ROUND>;

export function lastDecidedAt({ decided_at: decidedAt, amended_at: amendedAt }: DecidedRound): Date {
  return amendedAt ?? decidedAt;
}

/** The order of resolution, which streaks follow; ties by id. */
export function byDecision(left: DecidedRound, right: DecidedRound): number {
  return left.decided_at.getTime() - right.decided_at.getTime() || left.id - right.id;
}
