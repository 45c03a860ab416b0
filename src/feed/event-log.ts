import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { EventKind } from '../entities/event.ts';

export interface NewEvent {
  readonly kind: EventKind;
  readonly roundId: number | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

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
