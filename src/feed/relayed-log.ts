import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';

import type { EventStream, StreamedLog } from '../backplane/backplane.ts';
import type { DB } from '../entities/tables.ts';
import type { EventKind } from '../entities/event.ts';
import { rerunAfter } from '../in-flight.ts';
import { SECOND } from '../rules/hours.ts';
import { eventsAfter, logBounds, type LoggedEvent, type LogSource } from './event-log.ts';
import type { LogFollower } from './log-follower.ts';

/* The copy of the event log in Redis, which processes without a database follow. */

const INSTANT = z.coerce.date();
const HEAD = z.object({
  origin: z.string(),
  epoch: z.int(),
  lastSeq: z.int(),
  clock: z.object({ realAt: INSTANT, serviceAt: INSTANT, speed: z.number() }),
});
const EVENT = z.object({
  // Also of kinds that a newer process writes.
  kind: z.custom<EventKind>((kind) => typeof kind === 'string'),
  at: INSTANT,
  roundId: z.int().nullable(),
  payload: z.record(z.string(), z.unknown()),
});

/** The identity of a log, and its last number at a worker's start: a restore leaves some out before the next event. */
type LogHead = Readonly<z.infer<typeof HEAD>>;

/** Another database has another origin, and a restored backup another epoch. */
function idOf({ origin, epoch }: LogHead): string {
  return `${origin} ${epoch}`;
}

interface RelayDeps {
  readonly stream: EventStream;
  readonly newEm: () => SqlEntityManager;
  readonly feed: Pick<LogFollower, 'lastSeq' | 'onEvents'>;
  /** Called when events were appended. */
  readonly announce: () => void;
  readonly warn: (message: string) => void;
  readonly report: (error: unknown) => void;
}

const PAGE = 500;
/** The interval at which an emptied Redis is noticed, in real milliseconds. */
const LOOK_MS = 2 * SECOND;

/** Copies the event log to Redis: new events at once, and all stored ones into a Redis that lacks them. */
export async function startRelay({ stream, newEm, feed, announce, warn, report }: RelayDeps) {
  const head = await readHead(newEm());
  const log = stream.of(idOf(head));
  let isHeadNew = true;
  let isRefused = false;
  const copy = async (): Promise<void> => {
    const found = headIn(await stream.head());
    const isOurs = found !== null && idOf(found) === idOf(head);
    const isLater = found !== null && found.origin === head.origin && found.epoch > head.epoch;
    // A worker that starts replaces the log of another database, or an earlier one.
    if (isLater || (found !== null && !isOurs && !isHeadNew)) {
      if (!isRefused) warn(otherLog(found, head));
      isRefused = true;
      return;
    }
    const newest = await log.newest();
    const appended = (newest ?? 0) < feed.lastSeq() ? await appendAll(log, newEm, newest) : 0;
    if (appended === null) return;
    // Last: with the head the copy is whole.
    const replaced = found === null || isOurs ? null : idOf(found);
    if (isHeadNew || !isOurs) await stream.setHead(JSON.stringify(head), replaced);
    isHeadNew = false;
    if (appended === 0) return;
    announce();
    const { oldestSeq } = await logBounds(newEm());
    await log.forgetBefore(oldestSeq);
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

function otherLog(found: LogHead, own: LogHead): string {
  return (
    `Redis has the event log ${idOf(found)}, and the database ${idOf(own)}: processes with ROLE=feed get no events of this service. ` +
    'Give each service a prefix of its own in REDIS_URL; to replace the log, delete the key of this prefix that ends in :log'
  );
}

/** The number of appended events; null if another process appends too. */
async function appendAll(
  log: StreamedLog,
  newEm: () => SqlEntityManager,
  newest: number | null,
): Promise<number | null> {
  let last = newest;
  for (let appended = 0; ;) {
    // Forgotten events have the lowest numbers.
    const events = await eventsAfter(newEm(), last ?? 0, PAGE);
    if (events.length === 0) return appended;
    const entries = events.map(({ seq, ...event }) => ({ seq, text: JSON.stringify(event) }));
    if (!(await log.append(last, entries))) return null;
    appended += events.length;
    last = events.at(-1)?.seq ?? last;
  }
}

async function readHead(em: SqlEntityManager): Promise<LogHead> {
  const tables = em.getKysely<DB>();
  const platform = tables.selectFrom('platform').where('platform.id', '=', 1);
  const { origin, epoch, lastSeq, ...clock } = await platform
    .innerJoin('log_state as l', 'l.id', 'platform.id')
    .select(['l.origin', 'l.epoch', 'last_seq as lastSeq'])
    .select(['clock_real_at as realAt', 'clock_service_at as serviceAt', 'clock_speed as speed'])
    .executeTakeFirstOrThrow();
  return { origin, epoch, lastSeq, clock };
}

function headIn(text: string | null): LogHead | null {
  return text === null ? null : HEAD.parse(JSON.parse(text));
}

/** Redis lacks the log; or it, or a process with the database, does not answer: then with the cause. */
export class LogUnavailable extends Error {
  override readonly name = 'LogUnavailable';
}

async function reached<T>(reading: Promise<T>, failure = 'The event log in Redis cannot be read'): Promise<T> {
  try {
    return await reading;
  } catch (cause) {
    throw new LogUnavailable(failure, { cause });
  }
}

/** The head of the log in Redis. Throws `LogUnavailable` before a worker has copied one. */
export async function readLogHead(stream: EventStream): Promise<LogHead> {
  const head = headIn(await reached(stream.head()));
  if (head === null) throw new LogUnavailable('Redis has no copy of the event log');
  return head;
}

interface RelayedDeps {
  readonly stream: EventStream;
  /** As the process read it at its start. */
  readonly head: LogHead;
  /** Called when the head has changed, as after a restored backup: what subscribers have seen is of another log. */
  readonly onNewHead: () => void;
  readonly end: LogSource['end'];
}

/** The log in Redis. It throws `LogUnavailable` while Redis lacks the log, has another one, or nobody answers. */
export function relayedLog({ stream, head, onNewHead, end }: RelayedDeps): LogSource {
  const log = stream.of(idOf(head));
  const checked = async <T>(reading: Promise<T>): Promise<T> => {
    const [found, present] = await Promise.all([reached(reading), readLogHead(stream)]);
    if (idOf(present) === idOf(head)) return found;
    onNewHead();
    throw new LogUnavailable('Redis has another event log');
  };
  return {
    async bounds() {
      const [oldestSeq, newest] = await checked(Promise.all([log.oldest(), log.newest()]));
      const lastSeq = Math.max(newest ?? 0, head.lastSeq);
      return { lastSeq, oldestSeq: oldestSeq ?? lastSeq + 1 };
    },
    async after(seq, limit) {
      const events = await checked(log.after(seq, limit));
      return events.map((event): LoggedEvent => ({ seq: event.seq, ...EVENT.parse(JSON.parse(event.text)) }));
    },
    end: () => reached(end(), 'No process with the database answers'),
  };
}
