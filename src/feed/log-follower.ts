import type { Bus } from '../backplane/backplane.ts';
import { withDeadline } from '../deadline.ts';
import { pendingWork, rerunAfter } from '../in-flight.ts';
import { ANSWER_MS } from '../limits.ts';
import { SECOND } from '../rules/hours.ts';
import { checkResumable, type LoggedEvent, type LogSource } from './event-log.ts';

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
