import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { sql } from 'kysely';

import type { Round } from '../entities/round.ts';
import type { AgentIdentity } from './agents.ts';
import { rows } from './sql.ts';

interface ClosedRound extends Pick<Round, 'startTime' | 'status'> {
  readonly roundId: number;
  readonly state: 'predicted' | 'standing' | 'refused' | 'absent';
  readonly outcome: string | null;
  /** Null without a prediction. */
  readonly leadSeconds: number | null;
  readonly refusals: number;
  readonly reason: string | null;
  readonly refusedAt: Date | null;
}

/** Whether a round without a time of opening was open: one of before that was noted, and none that was void before its hour. */
const OPENED_UNNOTED = sql`status <> 'void' and (decided_at > start_time) is not false`;

/** What became of the newest `limit` rounds for an agent, of those that it could have predicted. One statement, by the tables' keys. */
export async function ownRoundsOf(em: SqlEntityManager, { id, registeredAt }: AgentIdentity, limit: number) {
  const rounds = await rows<ClosedRound>(em)`
    select r.id as "roundId", r.start_time as "startTime", r.status, r.outcome,
      case when p.standing then 'standing' when p.id is not null then 'predicted'
        when f.refusals > 0 then 'refused' else 'absent' end as state,
      extract(epoch from r.end_time - p.submitted_at)::float8 as "leadSeconds",
      coalesce(f.refusals, 0) as refusals, f.reason, f.refused_at as "refusedAt"
    from (
      select id, start_time, end_time, status, outcome from rounds
      where end_time > ${registeredAt}
        and status not in ('upcoming', 'active') and (opened_at is not null or ${OPENED_UNNOTED})
      order by start_time desc limit ${limit}
    ) r
    left join predictions p on p.round_id = r.id and p.agent_id = ${id}
    left join refusals f on f.round_id = r.id and f.agent_id = ${id}
    order by r.start_time desc`;
  const leads = rounds.flatMap(({ state, leadSeconds }) => (state === 'predicted' ? (leadSeconds ?? []) : []));
  const order = leads.toSorted((one, other) => one - other);
  const [low, high] = [order[(order.length - 1) >> 1], order[order.length >> 1]];
  return { rounds, medianLeadSeconds: low === undefined || high === undefined ? null : (low + high) / 2 };
}
