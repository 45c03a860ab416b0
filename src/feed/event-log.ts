import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { EventKind } from '../entities/event.ts';
import { DAY } from '../rules/hours.ts';

export interface NewEvent {
  readonly kind: EventKind;
  readonly roundId: number | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Something that happened. `seq` counts from 1 without gaps, in the order of commits. */
export interface LoggedEvent extends NewEvent {
  readonly seq: number;
  readonly at: Date;
}

/** How long events are kept. */
const EVENTS_KEPT_MS = 30 * DAY;

/**
 * Appends events in the transaction that makes them happen, and draws their numbers from the one counter row: seq has
 * no gaps and follows the order of commits. Call it last in a transaction, since it holds the counter until the commit.
 */
export async function appendEvents(
  transaction: SqlEntityManager,
  at: Date,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = JSON.stringify(events.map((event, place) => ({ ...event, place: place + 1 })));
  await sql`
    with drawn as (
      update platform set last_seq = last_seq + ${events.length} where id = 1 returning last_seq - ${events.length} as base
    )
    insert into events (seq, kind, at, round_id, payload)
    select drawn.base + e.place, e.kind, ${at}, e."roundId", e.payload
    from drawn, jsonb_to_recordset(${rows}::jsonb) as e(place int, kind text, "roundId" int, payload jsonb)
    order by e.place`.execute(transaction.getKysely());
}

/** At most `limit` events that follow `seq`, in order. */
export async function eventsAfter(em: SqlEntityManager, seq: number, limit: number): Promise<readonly LoggedEvent[]> {
  const { rows } = await sql<LoggedEvent>`
    select seq, kind, at, round_id as "roundId", payload from events
    where seq > ${seq} order by seq limit ${limit}`.execute(em.getKysely());
  return rows;
}

/** The newest event's seq, 0 before any; and the oldest kept one's, which is one more than the newest when none is. */
export async function logBounds(
  em: SqlEntityManager,
): Promise<{ readonly lastSeq: number; readonly oldestSeq: number }> {
  const { rows } = await sql<{ lastSeq: number; oldestSeq: number }>`
    select p.last_seq as "lastSeq", coalesce((select min(seq) from events), p.last_seq + 1) as "oldestSeq"
    from platform p where p.id = 1`.execute(em.getKysely());
  return rows[0] ?? { lastSeq: 0, oldestSeq: 1 };
}

/** Forgets what is older than is kept, and all that stands before: what is kept has no gaps. */
export async function forgetOldEvents(em: SqlEntityManager, now: Date): Promise<void> {
  const since = new Date(now.getTime() - EVENTS_KEPT_MS);
  await sql`
    delete from events
    where seq < coalesce((select min(seq) from events where at >= ${since}), (select last_seq + 1 from platform))`.execute(
    em.getKysely(),
  );
}
