import type { Connection } from './connection.ts';
import { HourcastError } from './errors.ts';
import { patienceFor } from './patience.ts';
import type { Event } from './reference.ts';
import { streamedLines, whole } from './stream.ts';

export interface EventOptions {
  /** The seq of the last event that was seen; 0 begins with the first that is kept. Unset: from now on. */
  readonly after?: number | undefined;
  /** Only these kinds; unset: all. */
  readonly kinds?: readonly Exclude<Event['kind'], 'HEARTBEAT'>[] | undefined;
  /** Whether heartbeats are returned, too: they tell that the feed is open, and where it is. */
  readonly heartbeats?: boolean | undefined;
  /** How long it goes on trying to open the feed again, in milliseconds; unset: for ever. */
  readonly patienceMs?: number | undefined;
  /** Ends the feed without an error. */
  readonly signal?: AbortSignal | undefined;
}

/** The service sends a heartbeat every 15 s: a stream that is silent for longer than this is dead. */
const SILENCE_MS = 45_000;

/**
 * The events behind `after`, then those that happen: in order, each once. A stream that breaks, also since the service restarts,
 * is opened again behind the last event. Throws `HourcastError` where that cannot help, such as for events that are not kept any
 * more.
 */
export async function* events(
  connection: Connection,
  { after, kinds, heartbeats = false, patienceMs = Infinity, signal }: EventOptions = {},
): AsyncGenerator<Event, void, undefined> {
  const patience = patienceFor({ patienceMs, onRetry: connection.onRetry, signal });
  const query = kinds === undefined ? '' : `?kinds=${kinds.join(',')}`;
  let seen = after;
  for (;;) {
    const asked = {
      method: 'GET',
      path: `/api/events${query}`,
      endpoint: 'GET /api/events',
      headers: { accept: 'text/event-stream', ...(seen === undefined ? {} : { 'last-event-id': String(seen) }) },
      signal,
    };
    try {
      for await (const data of messagesOf(streamedLines(connection, asked, SILENCE_MS))) {
        const event = whole(connection, () => eventIn(data));
        patience.progress();
        const isBeat = event.kind === 'HEARTBEAT';
        const isNews = seen === undefined || event.seq > seen;
        // The first heartbeat says behind which event the feed begins.
        seen = Math.max(seen ?? 0, event.seq);
        if (isBeat ? heartbeats : isNews) yield event;
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

/** Throws for what is no event. */
function eventIn(data: string): Event {
  const event = JSON.parse(data);
  if (Number.isInteger(event.seq) && typeof event.kind === 'string') return event;
  throw new TypeError('An event must have a seq and a kind');
}

/** The data of each whole message of server-sent events. */
async function* messagesOf(lines: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let data = '';
  for await (const line of lines) {
    if (line.startsWith('data:')) data += line.slice('data:'.length);
    if (line !== '' || data === '') continue;
    yield data;
    data = '';
  }
}
