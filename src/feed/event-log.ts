import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { givenRows } from '../entities/given-rows.ts';
import type { DB, Row } from '../entities/tables.ts';
import { DAY, SECOND } from '../rules/hours.ts';
import type { Bus } from '../backplane/backplane.ts';
import { ANSWER_MS } from '../limits.ts';
import { withDeadline } from '../deadline.ts';
import { snakeCased } from '../rest/endpoint.ts';
import { refused } from '../rules/errors.ts';
import { pendingWork, rerunAfter } from '../in-flight.ts';

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
  const found = await bounds
    .select(({ fn, eb }) => fn.coalesce(oldest, eb('last_seq', '+', 1)).as('oldestSeq'))
    .executeTakeFirst();
  return found ?? { lastSeq: 0, oldestSeq: 1 };
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

/** This process's view of the event log: in order, without gaps, from any seq that is still kept. */
export type LogFollower = Awaited<ReturnType<typeof openLogFollower>>;

interface LogFollowerDeps {
  readonly source: LogSource;
  readonly bus: Bus;
  readonly report: (error: unknown) => void;
  /** Called after each read of the log: its source is available. */
  readonly reached?: () => void;
}

const PAGE = 500;
/** Events kept in memory, for subscribers that were disconnected for a moment. */
const REMEMBERED = 2000;
/** The maximum delay of an event whose notification was lost. */
const POLL_MS = 2 * SECOND;

/**
 * Follows the log from its current end. While its source is unavailable, listeners get nothing; after that they get all
 * missed events. Reads have a timeout, in case the source does not respond.
 */
export async function openLogFollower({ source, bus, report, reached }: LogFollowerDeps) {
  let { lastSeq } = await source.bounds();
  const recent = remembered();
  // After a restart many subscribers come back at once, and resume a few events ago.
  recent.add((await source.after(Math.max(0, lastSeq - PAGE), PAGE)).filter(({ seq }) => seq <= lastSeq));
  const reads = pendingWork();
  const read = <T>(work: () => Promise<T>): Promise<T> => reads.track(withDeadline(ANSWER_MS, work));
  const listeners = new Set<(events: readonly LoggedEvent[]) => void>();
  const follow = async (): Promise<void> => {
    const events = await withDeadline(ANSWER_MS, () => source.after(lastSeq, PAGE));
    reached?.();
    if (events.length === 0) return;
    lastSeq = events.at(-1)?.seq ?? lastSeq;
    recent.add(events);
    for (const listener of listeners) listener(events);
    if (events.length === PAGE) await follow();
  };
  const follower = rerunAfter(() => follow().catch(report));
  const again = (): void => void follower();
  const stopNudges = bus.onNudge(again);
  const poll = setInterval(again, POLL_MS);
  return {
    /** The newest event that this process has seen. */
    lastSeq: () => lastSeq,
    /**
     * A page of the events after `seq` that this process has seen, in order, and the seq to continue after. That passes
     * numbers without an event, as after a restore. Throws as `checkResumable` does if they were deleted meanwhile.
     */
    async readAfter(seq: number): Promise<{ readonly events: readonly LoggedEvent[]; readonly upTo: number }> {
      const newest = lastSeq;
      if (seq >= newest) return { events: [], upTo: seq };
      const events = recent.after(seq) ?? (await read(() => readPage(source, seq, newest)));
      return { events, upTo: events.at(-1)?.seq ?? newest };
    },
    /** Throws `BAD_REQUEST` unless the event after `seq` is stored, in this process's memory, or the next one. */
    checkResumable: async (seq: number): Promise<void> =>
      recent.has(seq) ? undefined : read(() => checkResumable(source, seq)),
    /** The newest event in the database, which this process may not have seen yet. */
    logEnd: () => read(source.end),
    /** Calls `listener` with each batch of new events, in order; the returned function ends that. */
    onEvents: (listener: (events: readonly LoggedEvent[]) => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Stops following, and waits for reads in flight. */
    async stop(): Promise<void> {
      stopNudges();
      clearInterval(poll);
      await follower.settled();
      await reads.settled();
    },
  };
}

/** The newest events. */
function remembered() {
  const events: LoggedEvent[] = [];
  const placeAfter = (seq: number): number => seq + 1 - (events[0]?.seq ?? Number.POSITIVE_INFINITY);
  return {
    add(more: readonly LoggedEvent[]): void {
      // A place is found by counting, which events that were forgotten before this process read them would upset.
      if (more[0]?.seq !== (events.at(-1)?.seq ?? 0) + 1) events.length = 0;
      events.push(...more);
      events.splice(0, events.length - REMEMBERED);
    },
    /** A page of those that follow `seq`; null when the first of them is not remembered. */
    after(seq: number): readonly LoggedEvent[] | null {
      const start = placeAfter(seq);
      return start < 0 ? null : events.slice(start, start + PAGE);
    },
    /** True: all that follow `seq` are remembered. */
    has: (seq: number): boolean => placeAfter(seq) >= 0 && placeAfter(seq) <= events.length,
  };
}

async function readPage(source: LogSource, seq: number, newest: number): Promise<readonly LoggedEvent[]> {
  const events = await source.after(seq, PAGE);
  if (events[0]?.seq !== seq + 1) await checkResumable(source, seq);
  return events.filter((event) => event.seq <= newest);
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
