import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import type { EventKind } from '../entities/event.ts';
import { inSnakeCase, type LoggedEvent } from '../feed/event-log.ts';
import { holdsName } from '../reads/agents.ts';
import { SCORES } from '../reads/scores.ts';
import { rows } from '../reads/sql.ts';
import { dotted } from '../rules/webhooks.ts';

/** A message for one webhook: the same bytes and id in every try. */
export interface Message {
  /** The `webhook-id`. */
  readonly id: string;
  readonly type: string;
  readonly body: string;
  /** The cursor after acceptance; null for a message outside the log. */
  readonly seq: number | null;
}

export interface Reader {
  readonly id: number;
  readonly agentId: number;
  readonly kinds: readonly EventKind[];
  readonly cursor: number;
}

/** A webhook's next event, or the notice that events behind its cursor were deleted. */
interface FoundEvent extends Omit<LoggedEvent, 'kind'> {
  readonly id: number;
  readonly agentId: number;
  readonly kind: EventKind | 'EVENTS_LOST';
  /** For a decided round its question and the agent's answer and score; else null. */
  readonly decided: Readonly<Record<string, unknown>> | null;
}

/** The next message, if any, and the cursor without one. */
export type NextMessage = Awaited<ReturnType<typeof nextMessages>>[number];

/** SQL, true if webhooks of the agent `a` are called at `now`: it is not blocked, and holds its name. */
export function isCalled(now: Date): RawBuilder<boolean> {
  return sql`a.block_reason is null and ${holdsName(now)}`;
}

/**
 * The next event of each webhook's kinds behind its cursor. Skips outdated events: openings of rounds that
 * are over, unanswered rounds that accept no answers or have this agent's, and events of other agents. After an
 * amendment the score is the one in force, after a resolution the one it gave. `now` is in service time; a round stops
 * accepting answers `lockMs` before its end.
 */
export async function nextMessages(
  em: SqlEntityManager,
  readers: readonly Reader[],
  { now, lockMs }: Readonly<{ now: Date; lockMs: number }>,
) {
  const values = readers.map(({ id, agentId, cursor, kinds }, place) => ({ place, id, agentId, cursor, kinds }));
  const found = await rows<FoundEvent & { last: number }>(em)`
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

function messageOf({ id, agentId, seq, kind, at, roundId, payload, decided }: FoundEvent): Message {
  const data = { seq, round_id: roundId, ...inSnakeCase(payload), ...decided, agent_id: agentId, webhook_id: id };
  return {
    ...messageContent(dotted(kind), at, data),
    // More events may be deleted between two tries of a notice: only its cursor stays.
    id: kind === 'EVENTS_LOST' ? `evt_lost${String(payload['after'])}-${id}` : `evt_${seq}-${id}`,
    seq,
  };
}

/** A message to test the address. */
export function testMessage(
  { id, agentId, testsAsked }: Pick<Reader, 'id' | 'agentId'> & { readonly testsAsked: number },
  now: Date,
): Message {
  return {
    ...messageContent('webhook.test', now, { agent_id: agentId, webhook_id: id }),
    id: `evt_test${testsAsked}-${id}`,
    seq: null,
  };
}

/** All webhooks share a key, so the data of each message names its recipient. */
function messageContent(type: string, timestamp: Date, data: Readonly<Record<string, unknown>>) {
  return { type, body: JSON.stringify({ type, timestamp, data }) };
}
