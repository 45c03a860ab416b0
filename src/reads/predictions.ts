import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { expressionBuilder, sql } from 'kysely';

import { DURABLE_SO_FAR, statement, type Statements } from '../database/statements.ts';
import type { AliasedTables } from './fragments.ts';
import { fieldsNamed, one } from './plan/plan.ts';
import { PREDICTION, type PredictionRow } from './plan/prediction.ts';
import { predictionRow } from './plan/rows.ts';
import { PREDICTIONS } from './prediction-lists.ts';
import { byEntityManager } from './plan/read-column.ts';

const WHOLE = predictionRow(fieldsNamed(...Object.keys(PREDICTION.columns)));

/** The agent and the round of a prediction. */
export interface PredictionKey {
  readonly roundId: number;
  readonly agentId: number;
}

/** The stored ones among these predictions. They are flushed first: a crash must not lose a prediction that was confirmed. */
export async function whichPredicted(
  statements: Statements,
  keys: readonly PredictionKey[],
): Promise<readonly boolean[]> {
  const found = new Map<number, ReadonlySet<number>>();
  for (const [roundId, agents] of Map.groupBy(keys, (key) => key.roundId)) {
    const values = [roundId, agents.map(({ agentId }) => agentId)];
    found.set(roundId, new Set((await statements.rows(WHICH_PREDICTED, values)).map(([agentId]) => agentId)));
  }
  return keys.map(({ roundId, agentId }) => found.get(roundId)?.has(agentId) === true);
}

/** Agents of one round: PostgreSQL reads one month. */
const WHICH_PREDICTED = statement<[agentId: number, durable: string]>({
  name: 'which-predicted',
  text: `select o.agent_id, ${DURABLE_SO_FAR} from unnest($2::int[]) o(agent_id)
    cross join lateral (
      select from predictions p where p.round_id = $1::int and p.agent_id = o.agent_id offset 0) found`,
});

/** An idempotency key that an agent sent again. */
export interface RepeatedKey {
  readonly agentId: number;
  readonly idempotencyKey: string;
  /** The key matches only predictions submitted after this time. */
  readonly since: Date;
}

/** The rounds of the agents' latest predictions with these keys, which are flushed first; null without one. */
export async function roundsByKey(
  statements: Statements,
  keys: readonly RepeatedKey[],
): Promise<readonly (number | null)[]> {
  const values = [
    keys.map(({ agentId }) => agentId),
    keys.map(({ idempotencyKey }) => idempotencyKey),
    keys.map(({ since }) => since.toISOString()),
  ];
  const rounds = new Map((await statements.rows(ROUNDS_BY_KEY, values)).map(([place, roundId]) => [place, roundId]));
  return keys.map((_, index) => rounds.get(index + 1) ?? null);
}

/** SQL of the first round that took predictions after a time: by it only recent months are read. */
export function firstRoundSince(time: string): string {
  return `(select id from rounds where start_time > ${time}::timestamptz - interval '1 hour' order by start_time limit 1)`;
}

const ROUNDS_BY_KEY = statement<[place: number, roundId: number, durable: string]>({
  name: 'rounds-by-key',
  text: `select o.place, found.round_id, ${DURABLE_SO_FAR}
    from unnest($1::int[], $2::text[], $3::timestamptz[]) with ordinality o(agent_id, idempotency_key, since, place)
    cross join lateral (
      select p.round_id from predictions p
      where p.agent_id = o.agent_id and p.idempotency_key = o.idempotency_key and p.submitted_at > o.since
        and p.round_id >= ${firstRoundSince('o.since')}
      order by p.id desc limit 1) found`,
});

export async function predictionOf(
  em: SqlEntityManager,
  { roundId, agentId }: PredictionKey,
): Promise<PredictionRow | null> {
  const p = expressionBuilder<AliasedTables<{ p: 'predictions' }>, 'p'>();
  const own = p.and({ 'p.round_id': roundId, 'p.agent_id': agentId });
  return byEntityManager(em)(one(WHOLE, sql`${PREDICTIONS} where ${own}`));
}
