import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { DURABLE_SO_FAR, statement, type Statements } from '../database/statements.ts';
import { rows } from './sql.ts';

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
  /** In the units of rules/payoffs.ts, like the two that follow; null until it is scored. */
  readonly edge: number | null;
  readonly contribution: number | null;
  readonly peerScore: number | null;
  readonly replayed?: boolean;
  /** It was only checked, and is not stored. */
  readonly dryRun?: boolean;
}

/** The columns of a `PredictionRow`, of a prediction `p`, its agent `a` and its score `s` or nothing. */
export const PREDICTION_COLUMNS: RawBuilder<unknown> = sql`
  p.id, p.agent_id as "agentId", a.name as "agentName", p.round_id as "roundId", p.prediction, p.confidence,
  p.submitted_at as "submittedAt", s.score, s.is_correct as "isCorrect", s.streak_bonus as "streakBonus",
  s.place, s.arena_points as "arenaPoints", s.pnl_usd as "pnlUsd",
  s.edge_millionths as edge, s.contribution_billionths as contribution, s.peer_millionths as "peerScore"`;

export const SCORE_OF_PREDICTION: RawBuilder<unknown> = sql`
  left join scores s on s.round_id = p.round_id and s.agent_id = p.agent_id`;

/** There is always one; asked for this way, PostgreSQL leaves it out where nothing of it is wanted. */
export const AGENT_OF_PREDICTION: RawBuilder<unknown> = sql`left join agents a on a.id = p.agent_id`;

/** One agent's prediction in a round, or undefined. */
async function predictionIn(em: SqlEntityManager, roundId: number, agentId: number) {
  const found = await rows<PredictionRow>(em)`
    select ${PREDICTION_COLUMNS} from predictions p ${AGENT_OF_PREDICTION} ${SCORE_OF_PREDICTION}
    where p.round_id = ${roundId} and p.agent_id = ${agentId}`;
  return found[0];
}

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

/** The agent's latest prediction with this idempotency key that was submitted after `since`, durable then, or undefined. */
export async function predictionByKey(
  em: SqlEntityManager,
  { agentId, idempotencyKey }: { readonly agentId: number; readonly idempotencyKey: string },
  since: Date,
) {
  const [earlier] = await rows<{ roundId: number }>(em)`
      select round_id as "roundId", ${sql.raw(DURABLE_SO_FAR)} from predictions
      where agent_id = ${agentId} and idempotency_key = ${idempotencyKey} and submitted_at > ${since}
      order by id desc limit 1`;
  return earlier && predictionIn(em, earlier.roundId, agentId);
}

/** A scored prediction's round and its place there. */
export interface PlacedEntry {
  readonly id: number;
  readonly roundId: number;
  readonly place: number;
}

/** The scored ones among the predictions with these ids. */
export async function placedEntries(em: SqlEntityManager, ids: readonly number[]): Promise<readonly PlacedEntry[]> {
  return rows<PlacedEntry>(em)`
    select p.id, s.round_id as "roundId", s.place
    from predictions p join scores s on s.round_id = p.round_id and s.agent_id = p.agent_id
    where p.id = any(${[...ids]})`;
}
