import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { givenRows } from '../entities/given-rows.ts';
import type { DB, Row } from '../entities/tables.ts';
import { DAY } from '../rules/hours.ts';
import { snakeCased } from '../rest/endpoint.ts';
import { refused } from '../rules/errors.ts';

export interface NewEvent extends Readonly<Pick<Row<'events'>, 'kind' | 'payload'>> {
  readonly roundId: number | null;
  /** Data that only the webhooks of this agent receive. */
  readonly own?: Readonly<Record<string, unknown>> & { readonly agentId: number };
}

/** Something that happened. `seq` counts from 1 without gaps, in the order of commits. */
export interface LoggedEvent extends Omit<NewEvent, 'own'> {
  readonly seq: number;
  readonly at: Date;
}

/** A payload in the names of REST. */
export function inSnakeCase(payload: NewEvent['payload']): NewEvent['payload'] {
  return Object.fromEntries(Object.entries(payload).map(([name, value]) => [snakeCased(name), value]));
}

/** An event as REST has it: the data of server-sent events, and the items of segments. */
export function inRestForm<Kind>({ seq, kind, at, roundId, payload }: Omit<LoggedEvent, 'kind'> & { kind: Kind }) {
  return { seq, kind, at, round_id: roundId, payload: inSnakeCase(payload) };
}

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
  const added = events.map(({ kind, roundId, payload, own = null }, place) => {
    return { seq: place + 1, kind, round_id: roundId, payload, own };
  });
  await transaction
    .getKysely<DB>()
    .with('drawn', (tables) =>
      tables
        .updateTable('platform')
        .set(({ eb }) => ({ last_seq: eb('last_seq', '+', events.length) }))
        .where('id', '=', 1)
        .returning(({ eb }) => eb('last_seq', '-', events.length).as('base')),
    )
    .insertInto('events')
    .columns(['seq', 'kind', 'at', 'round_id', 'payload', 'own'])
    .expression((from) =>
      from
        .selectFrom(['drawn', givenRows('events', added)])
        .select((e) => [e('drawn.base', '+', e.ref('given.seq')).as('seq'), 'given.kind', e.val(at).as('at')])
        .select(['given.round_id', 'given.payload', 'given.own'])
        .orderBy('given.seq'),
    )
    .execute();
}

/** At most `limit` events that follow `seq`, in order. */
export async function eventsAfter(em: SqlEntityManager, seq: number, limit: number): Promise<readonly LoggedEvent[]> {
  const events = em.getKysely<DB>().selectFrom('events').where('seq', '>', seq).orderBy('seq').limit(limit);
  return events.select(['seq', 'kind', 'at', 'round_id as roundId', 'payload']).execute();
}

/** The newest event's seq, 0 before any; and the oldest kept one's, which is one more than the newest when none is. */
export async function logBounds(em: SqlEntityManager) {
  const tables = em.getKysely<DB>();
  const oldest = tables.selectFrom('events').select(({ fn }) => fn.min('seq').as('seq'));
  const bounds = tables.selectFrom('platform').where('id', '=', 1).select('last_seq as lastSeq');
  return bounds
    .select(({ fn, eb }) => fn.coalesce(oldest, eb('last_seq', '+', 1)).as('oldestSeq'))
    .executeTakeFirstOrThrow();
}

/** Deletes events past their retention, and all with lower numbers, so that the rest has no gaps. */
export async function forgetOldEvents(em: SqlEntityManager, now: Date): Promise<void> {
  const since = new Date(now.getTime() - EVENTS_KEPT_MS);
  const tables = em.getKysely<DB>();
  const kept = tables.selectFrom('events').where('at', '>=', since);
  const next = tables.selectFrom('platform').select(({ eb }) => eb('last_seq', '+', 1).as('seq'));
  await tables
    .deleteFrom('events')
    .where('seq', '<', ({ fn }) => fn.coalesce(kept.select(fn.min('seq').as('seq')), next))
    .execute();
}

/** The source from which a process reads the log. */
export interface LogSource {
  /** The newest readable event's seq, and the oldest one's. */
  readonly bounds: () => ReturnType<typeof logBounds>;
  /** At most `limit` events that follow `seq`, in order. */
  readonly after: (seq: number, limit: number) => Promise<readonly LoggedEvent[]>;
  /** The seq of the newest event in the database. */
  readonly end: () => Promise<number>;
}

/** The log in the database. */
export function databaseLog(newEm: () => SqlEntityManager): LogSource {
  return {
    bounds: () => logBounds(newEm()),
    after: (seq, limit) => eventsAfter(newEm(), seq, limit),
    end: async () => (await logBounds(newEm())).lastSeq,
  };
}

/** Throws `BAD_REQUEST` unless the event after `seq` is kept, or will be the next one. */
export async function checkResumable({ bounds, end }: LogSource, seq: number): Promise<void> {
  const { oldestSeq, lastSeq } = await bounds();
  // A copy of the log lacks the newest events for a while.
  const newest = seq > lastSeq ? await end() : lastSeq;
  if (seq >= oldestSeq - 1 && seq <= newest) return;
  throw refused(
    'after',
    `a seq from ${oldestSeq - 1} to ${newest}, since the oldest stored event is ${oldestSeq}`,
    seq,
  );
}
