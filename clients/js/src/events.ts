import { ask, type Connection } from './connection.ts';
import { HourcastError } from './errors.ts';
import { patienceFor } from './patience.ts';
import type { Event, EventHead, EventSegment } from './reference.ts';
import { readPiece, streamedLines } from './stream.ts';

export interface EventOptions {
  /** The seq of the last event seen; 0: from the first stored event. Default: from now on. */
  readonly after?: number | undefined;
  /** Only these kinds; default: all. */
  readonly kinds?: readonly Exclude<Event['kind'], 'HEARTBEAT'>[] | undefined;
  /** Also returns heartbeats, which show that the feed is open, and its position. */
  readonly heartbeats?: boolean | undefined;
  /** Maximum time of tries to reopen the feed, in milliseconds; default: unlimited. */
  readonly patienceMs?: number | undefined;
  /** Ends the feed without an error. */
  readonly signal?: AbortSignal | undefined;
}

/** The service sends a heartbeat every 15 s: a longer silence means a dead stream. */
const SILENCE_MS = 45_000;

/** Segment n has the events from (n - 1) * 1000 + 1 to n * 1000. */
const SEGMENT_EVENTS = 1000;

/**
 * Events after `after`, then new ones: in order, each once. More than a segment of past events comes by segments, which caches
 * keep. A broken stream is reopened behind the last event. Throws `HourcastError` if that cannot help, such as for deleted
 * events.
 */
export async function* events(
  connection: Connection,
  { after, kinds, heartbeats = false, patienceMs = Infinity, signal }: EventOptions = {},
): AsyncGenerator<Event, void, undefined> {
  // The feed outlasts any fault of the service.
  const patience = patienceFor({ patienceMs, onRetry: connection.onRetry, signal, passingFrom: 500 });
  const query = kinds === undefined ? '' : `?kinds=${kinds.join(',')}`;
  let seen = after;
  let isBehind = after !== undefined;
  async function* found(): AsyncGenerator<Event, void, undefined> {
    if (isBehind && seen !== undefined) {
      const read = readerOf(connection, signal);
      const head = await read<EventHead>('/api/events/head');
      // The service refuses a place before its first stored event.
      if (seen === 0 && head !== null) seen = head.oldest_seq - 1;
      if (head !== null) yield* storedEvents(read, head, seen);
    }
    isBehind = false;
    const request = {
      method: 'GET',
      path: `/api/events${query}`,
      endpoint: 'GET /api/events',
      headers: { accept: 'text/event-stream', ...(seen === undefined ? {} : { 'last-event-id': String(seen) }) },
      signal,
    };
    for await (const data of messagesOf(streamedLines(connection, request, SILENCE_MS)))
      yield readPiece(connection, () => eventIn(data));
  }
  for (;;) {
    try {
      for await (const event of found()) {
        patience.progress();
        const isBeat = event.kind === 'HEARTBEAT';
        const isNews = seen === undefined || event.seq > seen;
        // The first heartbeat has the seq of the event before the feed's first one.
        seen = Math.max(seen ?? 0, event.seq);
        const isWanted = kinds === undefined || kinds.some((kind) => kind === event.kind);
        if (isBeat ? heartbeats : isNews && isWanted) yield event;
      }
      throw new HourcastError(`${connection.url} has ended the feed.`, { code: 'unreachable' });
    } catch (error) {
      await patience.wait(error).catch((reason: unknown) => {
        if (!signal?.aborted) throw reason;
      });
      if (signal?.aborted) return;
    }
  }
}

/** Reads the feed's stored parts. Null for 404: an older service has none, or the segment has deleted events. */
function readerOf(connection: Connection, signal: AbortSignal | undefined) {
  // The feed has a patience of its own.
  const once = { ...connection, patienceMs: 0 };
  return async <Part>(path: string): Promise<Part | null> => {
    const request = { method: 'GET', path, endpoint: 'GET /api/events/head', repeatable: true, signal };
    try {
      return await ask(once, request, async (response) => JSON.parse(await response.text()));
    } catch (error) {
      if (error instanceof HourcastError && error.status === 404) return null;
      throw error;
    }
  };
}

/** The events of the segment after `seen`, of those that follow, and of the head; none unless more than a segment is missing. */
async function* storedEvents(
  read: ReturnType<typeof readerOf>,
  head: EventHead,
  seen: number,
): AsyncGenerator<Event, void, undefined> {
  let n = Math.floor(seen / SEGMENT_EVENTS) + 1;
  const { first_segment: first, last_segment: last } = head;
  // The stream has the events before the first whole segment.
  if (first === null || last === null || n < first || head.last_seq - seen <= SEGMENT_EVENTS) return;
  while (n <= last) {
    const segment = await read<EventSegment>(head.segment_path.replace('{n}', String(n)));
    // The stream decides.
    if (segment === null) return;
    yield* segment.events;
    n = segment.next_segment;
  }
  yield* head.events;
}

/** Throws for another message. */
function eventIn(data: string): Event {
  const event = JSON.parse(data);
  if (Number.isInteger(event.seq) && typeof event.kind === 'string') return event;
  throw new TypeError('An event must have a seq and a kind');
}

/** The data of each complete server-sent event. */
async function* messagesOf(lines: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let data = '';
  for await (const line of lines) {
    if (line.startsWith('data:')) data += line.slice('data:'.length);
    if (line !== '' || data === '') continue;
    yield data;
    data = '';
  }
}
