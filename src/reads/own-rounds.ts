import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { DB } from '../entities/tables.ts';
import type { AgentIdentity } from './agents.ts';
import { seconds } from './fragments.ts';
import { addHours } from '../rules/hours.ts';

/** True if a round without `opened_at` did open: it is older than the column, and was not void before its hour. */
const OPENED_UNNOTED = sql<boolean>`status <> 'void' and (decided_at > start_time) is not false`;

const STATE = sql<'predicted' | 'standing' | 'refused' | 'absent'>`case when p.standing then 'standing'
  when p.id is not null then 'predicted' when f.refusals > 0 then 'refused' else 'absent' end`;

/** The newest `limit` rounds that an agent could have predicted, each with its prediction or refusal. */
export async function ownRoundsOf(em: SqlEntityManager, { id, registeredAt }: AgentIdentity, limit: number) {
  const tables = em.getKysely<DB>();
  const newest = tables
    .selectFrom('rounds')
    .select(['id', 'start_time', 'end_time', 'status', 'outcome'])
    // Its end is later than the registration; only starts have an index.
    .where('start_time', '>', addHours(registeredAt, -1))
    .where('status', 'not in', ['upcoming', 'active'])
    .where((is) => is.or([is('opened_at', 'is not', null), OPENED_UNNOTED]))
    .orderBy('start_time', 'desc')
    .limit(limit);
  const rounds = await tables
    .selectFrom(newest.as('r'))
    .leftJoin('predictions as p', (join) => join.onRef('p.round_id', '=', 'r.id').on('p.agent_id', '=', id))
    .leftJoin('refusals as f', (join) => join.onRef('f.round_id', '=', 'r.id').on('f.agent_id', '=', id))
    .select(['r.id as roundId', 'r.start_time as startTime', 'r.status', 'r.outcome', 'f.reason'])
    .select(['f.refused_at as refusedAt', STATE.as('state')])
    .select((of) => of.fn.coalesce('f.refusals', of.lit(0)).as('refusals'))
    // Null without a prediction.
    .select((of) => seconds<number | null>(of('r.end_time', '-', of.ref('p.submitted_at'))).as('leadSeconds'))
    .orderBy('r.start_time', 'desc')
    .execute();
  const leads = rounds.flatMap(({ state, leadSeconds }) => (state === 'predicted' ? (leadSeconds ?? []) : []));
  const order = leads.toSorted((one, other) => one - other);
  const [low, high] = [order[(order.length - 1) >> 1], order[order.length >> 1]];
  return { rounds, medianLeadSeconds: low === undefined || high === undefined ? null : (low + high) / 2 };
}
