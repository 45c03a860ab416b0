import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import type { EventKind } from '../entities/event.ts';
import { inSnakeCase, type LoggedEvent } from '../feed/event-log.ts';
import { holdsName } from '../reads/agents.ts';
import { SCORES } from '../reads/scores.ts';
import { rows } from '../reads/sql.ts';
import { dotted } from '../rules/webhooks.ts';

/** What one webhook is sent: the same bytes under the same id in every try. */
export interface Message {
  /** The `webhook-id`. */
  readonly id: string;
  readonly type: string;
  readonly body: string;
  /** Where the cursor stands once it is taken; null: it is none of the log's. */
  readonly seq: number | null;
}

/** Whose message is looked for. */
export interface Reader {
  readonly id: number;
  readonly agentId: number;
  readonly kinds: readonly EventKind[];
  readonly cursor: number;
}

/** Of a webhook: an event, or that those between its cursor and the oldest kept one are lost. */
interface Found extends Omit<LoggedEvent, 'kind'> {
  readonly id: number;
  readonly agentId: number;
  readonly kind: EventKind | 'EVENTS_LOST';
  /** Of a round that is decided: what it asked, and what its agent answered and earned; else null. */
  readonly decided: Readonly<Record<string, unknown>> | null;
}

/** What a webhook is sent next, if anything; and where its cursor stands if that is nothing. */
export interface Next {
  readonly last: number;
  readonly message: Message | null;
}

/** SQL: whether webhooks of the agent `a` are sent anything at `now`: not while it is blocked, nor once it is released. */
export function isCalled(now: Date): RawBuilder<boolean> {
  return sql`a.block_reason is null and ${holdsName(now)}`;
}

/**
 * The next event of each webhook's kinds behind its cursor. Left out is what would be of no use any more: an opening of a round
 * that is over, that a round is unanswered where it takes no answers or has this agent's, and what happened to another agent. What an agent earned by an amendment is
 * what is in force now; by a resolution, what that said.
 */
export async function nextMessages(
  em: SqlEntityManager,
  readers: readonly Reader[],
  { now, lockMs }: MessageTime,
): Promise<readonly Next[]> {
  const values = readers.map(({ id, agentId, cursor, kinds }, place) => ({ place, id, agentId, cursor, kinds }));
  const found = await rows<Found & { last: number }>(em)`
    select w.id, w."agentId", case when a.id is null then w.cursor else greatest(l.last, w.cursor) end as last, m.*
    from (select min(seq) as first, max(seq) as last from events) l
    cross join jsonb_to_recordset(${JSON.stringify(values)}::jsonb) w(place int, id int, "agentId" int, cursor int, kinds text[])
    left join agents a on a.id = w."agentId" and ${isCalled(now)}
    left join lateral (
      (select l.first - 1 as seq, 'EVENTS_LOST' as kind, e.at, null::int as "roundId",
        jsonb_build_object('after', w.cursor, 'firstKept', l.first) as payload, null::jsonb as decided
      from events e where e.seq = l.first and w.cursor < l.first - 1)
      union all
      (select e.seq, e.kind, e.at, e.round_id, e.payload || coalesce(e.own, '{}'),
        case when e.kind in ('ROUND_RESOLVED', 'ROUND_AMENDED') then jsonb_build_object('question', r.question,
          'prediction', p.prediction, 'confidence', p.confidence, 'standing', p.standing,
          'score', coalesce(s.score, c.score), 'is_correct', coalesce(s.is_correct, c.is_correct)) end
      from events e left join rounds r on r.id = e.round_id
        left join predictions p on p.round_id = e.round_id and p.agent_id = a.id
        left join scores s on e.kind = 'ROUND_RESOLVED' and s.round_id = e.round_id and s.agent_id = a.id
        left join ${SCORES} c on e.kind = 'ROUND_AMENDED' and c.round_id = e.round_id and c.agent_id = a.id
      where e.seq > w.cursor and e.kind = any(w.kinds) and case e.kind
        when 'ROUND_OPENED' then r.status = 'active' and r.end_time > ${now}
        when 'ROUND_UNANSWERED' then r.status = 'active' and r.end_time > ${new Date(now.getTime() + lockMs)}
          and a.mode = 'compete' and not exists (select from predictions p where p.round_id = r.id and p.agent_id = a.id)
        else coalesce((coalesce(e.own, e.payload) ->> 'agentId')::int = a.id, true) end
      order by e.seq limit 1)
      order by seq limit 1) m on a.id is not null
    order by w.place`;
  return found.map(({ last, ...one }) => ({ last, message: one.seq === null ? null : messageOf(one) }));
}

interface MessageTime {
  /** Of the service. */
  readonly now: Date;
  /** How long before its end a round takes no answers. */
  readonly lockMs: number;
}

function messageOf({ id, agentId, seq, kind, at, roundId, payload, decided }: Found): Message {
  const data = { seq, round_id: roundId, ...inSnakeCase(payload), ...decided, ...addressedTo({ id, agentId }) };
  return { ...written(dotted(kind), at, data), id: `evt_${kind === 'EVENTS_LOST' ? 'lost' : ''}${seq}-${id}`, seq };
}

/** The message by which an agent tries its address. */
export function testMessage(
  { id, agentId, testsAsked }: Pick<Reader, 'id' | 'agentId'> & { readonly testsAsked: number },
  now: Date,
): Message {
  return {
    ...written('webhook.test', now, addressedTo({ id, agentId })),
    id: `evt_test${testsAsked}-${id}`,
    seq: null,
  };
}

/** One key signs for all: whom a message is for, it says itself. */
function addressedTo({ id, agentId }: Pick<Reader, 'id' | 'agentId'>) {
  return { agent_id: agentId, webhook_id: id };
}

function written(type: string, timestamp: Date, data: Readonly<Record<string, unknown>>) {
  return { type, body: JSON.stringify({ type, timestamp, data }) };
}
