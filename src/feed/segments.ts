import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { DB } from '../entities/tables.ts';
import { MAX_ID } from '../limits.ts';
import { DomainError } from '../rules/errors.ts';
import { inRestForm, type LoggedEvent } from './event-log.ts';

/** Segment n holds the events from (n - 1) * 1,000 + 1 to n * 1,000. A whole one never changes within its epoch. */
export const SEGMENT_EVENTS = 1_000;

/** The segment of the last seq that a row can have. */
export const MAX_SEGMENT = Math.floor(MAX_ID / SEGMENT_EVENTS);

export const HEAD_PATH = '/api/events/head';
export const SEGMENT_PATH = '/api/events/segments/{n}';

/** The epoch of a request that has none. */
export const ANY_EPOCH = 0;

/** The newest events, and the segments: together all that is stored from the first segment on. */
export async function headBody(em: SqlEntityManager): Promise<string> {
  const { epoch, lastSeq, oldestSeq, first, last, events } = await readPart(em, null);
  return JSON.stringify({
    epoch,
    last_seq: lastSeq,
    oldest_seq: oldestSeq,
    first_segment: first > last ? null : first,
    last_segment: first > last ? null : last,
    segment_path: `${SEGMENT_PATH}?epoch=${epoch}`,
    events: events.map(inRestForm),
  });
}

/** Throws `NOT_FOUND` unless segment `n` is whole and stored, and the log is in `asked`, or that is any epoch. */
export async function segmentBody(em: SqlEntityManager, n: number, givenEpoch: number): Promise<string> {
  const { epoch, first, last, nextSeq, events } = await readPart(em, n);
  if (givenEpoch !== ANY_EPOCH && givenEpoch !== epoch)
    throw unknownSegment(`epoch must be ${epoch}, that of the log`, givenEpoch);
  if (first > last) throw unknownSegment('n must be a whole segment, and none is stored at present', n);
  if (n < first || n > last)
    throw unknownSegment(`n must be from ${first} to ${last}, the segments that are whole and stored`, n);
  const next = Math.ceil(nextSeq / SEGMENT_EVENTS);
  return JSON.stringify({ epoch, segment: n, next_segment: next, events: events.map(inRestForm) });
}

function unknownSegment(mustHold: string, given: number): DomainError {
  return new DomainError('unknown_segment', `${mustHold} (got ${given}). GET ${HEAD_PATH} names epoch and segments.`);
}

/**
 * The log's epoch and bounds, its first and last whole segment, the events of segment `n`, or those after the last one, and
 * the seq that follows them.
 * One statement: an event that is written or deleted meanwhile would make a segment that lacks it look whole.
 */
async function readPart(em: SqlEntityManager, n: number | null) {
  const tables = em.getKysely<DB>();
  const end = n === null ? MAX_ID : n * SEGMENT_EVENTS;
  const begin = n === null ? sql<number>`p.last_seq - p.last_seq % ${SEGMENT_EVENTS}::int` : end - SEGMENT_EVENTS;
  const stored = tables.selectFrom('events').select(({ fn }) => fn.min('seq').as('seq'));
  const rows = await tables
    .selectFrom('platform as p')
    .innerJoin('log_state as l', 'l.id', 'p.id')
    .leftJoin('events as e', (join) => join.on('e.seq', '>', begin).on('e.seq', '<=', end))
    .select(({ eb, fn }) => [
      'l.epoch',
      'p.last_seq as lastSeq',
      fn.coalesce(stored, eb('p.last_seq', '+', 1)).as('oldestSeq'),
      fn.coalesce(stored.where('seq', '>', end), eb('p.last_seq', '+', 1)).as('nextSeq'),
    ])
    .select(['e.seq', 'e.kind', 'e.at', 'e.round_id as roundId', 'e.payload'])
    .orderBy('e.seq')
    .execute();
  const [log] = rows;
  if (log === undefined) throw new Error('The database must have the rows of the platform and of the log');
  const events = rows.flatMap(({ seq, kind, at, roundId, payload }): LoggedEvent[] =>
    seq === null || kind === null || at === null || payload === null ? [] : [{ seq, kind, at, roundId, payload }],
  );
  const first = Math.ceil((log.oldestSeq - 1) / SEGMENT_EVENTS) + 1;
  return { ...log, first, last: Math.floor(log.lastSeq / SEGMENT_EVENTS), events };
}
