import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

/** A prediction with its agent's name and, once scored, what it earned. */
export interface PredictionRow {
  readonly id: number;
  readonly agentId: number;
  readonly agentName: string;
  readonly roundId: number;
  readonly prediction: string;
  readonly confidence: number;
  readonly submittedAt: Date;
  readonly score: number | null;
  readonly isCorrect: boolean | null;
  readonly streakBonus: number | null;
  readonly place: number | null;
  readonly arenaPoints: number | null;
  readonly pnlUsd: string | null;
  readonly replayed?: boolean;
}

/** The columns of a `PredictionRow`, of a prediction `p`, its agent `a` and its score `s` or nothing. */
export const PREDICTION_COLUMNS: RawBuilder<unknown> = sql`
  p.id, p.agent_id as "agentId", a.name as "agentName", p.round_id as "roundId", p.prediction, p.confidence,
  p.submitted_at as "submittedAt", s.score, s.is_correct as "isCorrect", s.streak_bonus as "streakBonus",
  s.place, s.arena_points as "arenaPoints", s.pnl_usd as "pnlUsd"`;

export const SCORE_OF_PREDICTION: RawBuilder<unknown> = sql`
  left join scores s on s.round_id = p.round_id and s.agent_id = p.agent_id`;

export const AGENT_OF_PREDICTION: RawBuilder<unknown> = sql`join agents a on a.id = p.agent_id`;

/** One agent's prediction in a round, or undefined. */
export async function predictionIn(em: SqlEntityManager, roundId: number, agentId: number) {
  const { rows } = await sql<PredictionRow>`
    select ${PREDICTION_COLUMNS} from predictions p ${AGENT_OF_PREDICTION} ${SCORE_OF_PREDICTION}
    where p.round_id = ${roundId} and p.agent_id = ${agentId}`.execute(em.getKysely());
  return rows[0];
}
