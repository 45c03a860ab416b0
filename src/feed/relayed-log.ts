import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';

import type { EventStream, LogPlace } from '../backplane/backplane.ts';
import type { ClockAnchor } from '../clock.ts';
import type { DB } from '../entities/tables.ts';
import { EVENT_KINDS } from '../entities/event.ts';
import { rerunAfter } from '../in-flight.ts';
import { SECOND } from '../rules/hours.ts';
import { eventsAfter, logBounds, type LogFollower, type LoggedEvent, type LogSource } from './event-log.ts';

/* The copy of the event log in Redis, which processes without a database follow. */

const INSTANT = z.coerce.date();
const HEAD = z.object({
  epoch: z.int(),
  clock: z.object({ realAt: INSTANT, serviceAt: INSTANT, speed: z.number() }),
});
const EVENT = z.object({
  kind: z.enum(EVENT_KINDS),
  at: INSTANT,
  roundId: z.int().nullable(),
  payload: z.record(z.string(), z.unknown()),
});

/** The epoch of the log and the anchor of service time. */
export interface LogHead {
  readonly epoch: number;
  readonly clock: ClockAnchor;
}

interface RelayDeps {
  readonly stream: EventStream;
  readonly newEm: () => SqlEntityManager;
  readonly feed: Pick<LogFollower, 'lastSeq' | 'onEvents'>;
  /** Called when events were appended. */
  readonly announce: () => void;
  readonly report: (error: unknown) => void;
}

const PAGE = 500;
/** The interval at which an emptied Redis is noticed, in real milliseconds. */
const LOOK_MS = 2 * SECOND;

/** Copies the event log to Redis: new events at once, and all stored ones into a Redis that lacks them. */
export async function startRelay({ stream, newEm, feed, announce, report }: RelayDeps) {
  const head = await readHead(newEm());
  const { epoch } = head;
  const text = JSON.stringify(head);
  let isFirst = true;
  const copy = async (): Promise<void> => {
    const newest = await stream.newest();
    const isOurs = newest?.epoch === epoch;
    if (isFirst || !isOurs) await stream.setHead(text);
    isFirst = false;
    if (isOurs && newest.seq >= feed.lastSeq()) return;
    if (await appendAll(stream, newEm, { newest, epoch })) announce();
    const { oldestSeq } = await logBounds(newEm());
    await stream.forgetBefore({ epoch, seq: oldestSeq });
  };
  const look = rerunAfter(() => copy().catch(report));
  const leave = feed.onEvents(() => void look());
  const timer = setInterval(() => void look(), LOOK_MS);
  void look();
  return {
    async stop(): Promise<void> {
      leave();
      clearInterval(timer);
      await look.settled();
    },
  };
}

/** False if another process appends too. */
async function appendAll(
  stream: EventStream,
  newEm: () => SqlEntityManager,
  { newest, epoch }: { readonly newest: LogPlace | null; readonly epoch: number },
): Promise<boolean> {
  let place = newest;
  for (;;) {
    // Forgotten events have the lowest numbers.
    const from = place?.epoch === epoch ? place.seq : 0;
    const events = await eventsAfter(newEm(), from, PAGE);
    const last = events.at(-1);
    if (last === undefined) return true;
    const entries = events.map(({ seq, ...event }) => ({ seq, text: JSON.stringify(event) }));
    if (!(await stream.append(place, epoch, entries))) return false;
    place = { epoch, seq: last.seq };
  }
}

async function readHead(em: SqlEntityManager): Promise<LogHead> {
  const tables = em.getKysely<DB>();
  const platform = tables.selectFrom('platform').where('platform.id', '=', 1);
  const { epoch, ...clock } = await platform
    .innerJoin('log_state as l', 'l.id', 'platform.id')
    .select(['l.epoch', 'clock_real_at as realAt', 'clock_service_at as serviceAt', 'clock_speed as speed'])
    .executeTakeFirstOrThrow();
  return { epoch, clock };
}

export function parsedHead(text: string): LogHead {
  return HEAD.parse(JSON.parse(text));
}

interface RelayedDeps {
  readonly stream: EventStream;
  /** As the process read it at its start. */
  readonly head: { readonly text: string; readonly epoch: number };
  /** Called when the head has changed, as after a restored backup: what subscribers have seen is of another log. */
  readonly onNewHead: () => void;
  readonly end: LogSource['end'];
}

/** The log in Redis. It returns nothing while Redis lacks the log, or has another one. */
export function relayedLog({ stream, head: { text, epoch }, onNewHead, end }: RelayedDeps): LogSource {
  return {
    async bounds() {
      const oldestSeq = await stream.oldest(epoch);
      const newest = await stream.newest();
      const lastSeq = newest?.epoch === epoch ? newest.seq : 0;
      return { lastSeq, oldestSeq: oldestSeq ?? lastSeq + 1 };
    },
    async after(seq, limit) {
      const [events, head] = await Promise.all([stream.after({ epoch, seq }, limit), stream.head()]);
      if (head === text) return events.map((event) => ({ seq: event.seq, ...eventIn(event.text) }));
      if (head !== null) onNewHead();
      return [];
    },
    end,
  };
}

function eventIn(text: string): Omit<LoggedEvent, 'seq'> {
  return EVENT.parse(JSON.parse(text));
}
