import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { DURABLE_SO_FAR, statement, type Statements } from '../database/statements.ts';
import { fieldsNamed, one } from './plan/plan.ts';
import { PREDICTION, type PredictionRow } from './plan/prediction.ts';
import { predictionRow } from './plan/rows.ts';
import { AGENT_OF_PREDICTION, SCORE_OF_PREDICTION } from './prediction-lists.ts';
import { byEntityManager, rows } from './sql.ts';

const WHOLE = predictionRow(fieldsNamed(...Object.keys(PREDICTION.columns)));

/** Whether the agent has a prediction in the round, which is durable then: one that a crash could lose may not be told of. */
export async function hasPredicted(
  statements: Statements,
  { roundId, agentId }: { readonly roundId: number; readonly agentId: number },
): Promise<boolean> {
  return (await statements.rows(HAS_PREDICTED, [roundId, agentId])).length > 0;
}

const HAS_PREDICTED = statement<[string]>({
  name: 'has-predicted',
  text: `select ${DURABLE_SO_FAR} from predictions where round_id = $1 and agent_id = $2`,
});

/** The agent's latest prediction with this idempotency key that was submitted after `since`, durable then, or null. */
export async function predictionByKey(
  em: SqlEntityManager,
  { agentId, idempotencyKey }: { readonly agentId: number; readonly idempotencyKey: string },
  since: Date,
): Promise<PredictionRow | null> {
  const [earlier] = await rows<{ roundId: number }>(em)`
      select round_id as "roundId", ${sql.raw(DURABLE_SO_FAR)} from predictions
      where agent_id = ${agentId} and idempotency_key = ${idempotencyKey} and submitted_at > ${since}
      order by id desc limit 1`;
  if (earlier === undefined) return null;
  const from = sql`predictions p ${AGENT_OF_PREDICTION} ${SCORE_OF_PREDICTION}
    where p.round_id = ${earlier.roundId} and p.agent_id = ${agentId}`;
  return byEntityManager(em)(one(WHOLE, from));
}
