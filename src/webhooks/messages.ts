import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { EventKind } from '../entities/event.ts';
import { inSnakeCase, type LoggedEvent } from '../feed/event-log.ts';
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

interface Found extends LoggedEvent {
  readonly score: number | null;
  readonly isCorrect: boolean | null;
}

/** What a webhook is sent next, if anything, and the end of the log as it was then. */
export interface Next {
  readonly last: number;
  readonly message: Message | null;
}

/**
 * The next event of each webhook's kinds behind its cursor. Left out is what would be of no use any more: an opening of a round
 * that is over, and that a round is unanswered where it takes no answers or has this agent's.
 */
export async function nextMessages(
  em: SqlEntityManager,
  readers: readonly Reader[],
  { now, lockMs }: MessageTime,
): Promise<readonly Next[]> {
  const values = readers.map(({ id, agentId, cursor, kinds }, place) => ({ place, id, agentId, cursor, kinds }));
  const found = await rows<Found & { last: number }>(em)`
    select p.last_seq as last, m.* from platform p
    cross join jsonb_to_recordset(${JSON.stringify(values)}::jsonb) w(place int, "agentId" int, cursor int, kinds text[])
    left join lateral (
      select e.seq, e.kind, e.at, e.round_id as "roundId", e.payload, s.score, s.is_correct as "isCorrect"
      from events e left join rounds r on r.id = e.round_id
        left join scores s on e.kind = 'ROUND_RESOLVED' and s.round_id = e.round_id and s.agent_id = w."agentId"
      where e.seq > w.cursor and e.seq <= p.last_seq and e.kind = any(w.kinds) and case e.kind
        when 'ROUND_OPENED' then r.status = 'active' and r.end_time > ${now}
        when 'ROUND_UNANSWERED' then r.status = 'active' and r.end_time > ${new Date(now.getTime() + lockMs)}
          and not exists (select from predictions a where a.round_id = r.id and a.agent_id = w."agentId")
          and exists (select from agents a where a.id = w."agentId" and a.mode = 'compete' and a.block_reason is null)
        else true end
      order by e.seq limit 1) m on true
    where p.id = 1 order by w.place`;
  return readers.map((reader, place) => {
    const one = found[place];
    if (one === undefined) throw new Error('The database has no row of the platform');
    return { last: one.last, message: one.seq === null ? null : messageOf(one, reader) };
  });
}

interface MessageTime {
  /** Of the service. */
  readonly now: Date;
  /** How long before its end a round takes no answers. */
  readonly lockMs: number;
}

function messageOf({ seq, kind, at, roundId, payload, score, isCorrect }: Found, { id }: Reader): Message {
  const own = kind === 'ROUND_RESOLVED' ? { score, is_correct: isCorrect } : {};
  const data = { seq, round_id: roundId, ...inSnakeCase(payload), ...own };
  return { ...written(dotted(kind), at, data), id: `evt_${seq}-${id}`, seq };
}

/** The message by which an agent tries its address. */
export function testMessage(
  { id, testsAsked }: { readonly id: number; readonly testsAsked: number },
  now: Date,
): Message {
  return { ...written('webhook.test', now, { webhook_id: id }), id: `evt_test${testsAsked}-${id}`, seq: null };
}

function written(type: string, timestamp: Date, data: Readonly<Record<string, unknown>>) {
  return { type, body: JSON.stringify({ type, timestamp, data }) };
}
