import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { DomainError } from '../rules/errors.ts';
import { DAY } from '../rules/hours.ts';
import { predictionIn, type PredictionRow } from './prediction-rows.ts';
import type { OfferedPrediction } from './prediction-writer.ts';

const KEY_LIFETIME_MS = DAY;

/**
 * The answer that the agent got for the same key and body within the last 24 hours, or null. The same key with
 * another body is a `CONFLICT`.
 */
export async function earlierAnswer(
  em: SqlEntityManager,
  offered: OfferedPrediction,
  now: Date,
): Promise<PredictionRow | null> {
  if (offered.idempotencyKey === null) return null;
  const { rows } = await sql<{ roundId: number }>`
    select round_id as "roundId" from predictions
    where agent_id = ${offered.agentId} and idempotency_key = ${offered.idempotencyKey}
      and submitted_at > ${new Date(now.getTime() - KEY_LIFETIME_MS)}
    order by id desc limit 1`.execute(em.getKysely());
  const [earlier] = rows;
  if (earlier === undefined) return null;
  const first = await predictionIn(em, earlier.roundId, offered.agentId);
  if (first === undefined) return null;
  const same =
    first.roundId === offered.roundId &&
    first.prediction === offered.prediction &&
    first.confidence === offered.confidence;
  if (!same) {
    throw new DomainError(
      'CONFLICT',
      'This Idempotency-Key was used within 24 hours for another prediction; use a new key for a new prediction.',
    );
  }
  return { ...first, replayed: true };
}
