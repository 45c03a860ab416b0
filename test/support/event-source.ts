import { EventSource, type EventSourceInit } from 'eventsource';

import { EVENT_KINDS } from '../../src/entities/event.ts';
import { type Collected, collector } from './collector.ts';
import type { SeenEvent } from './written-events.ts';

/** `id` is the resume position of browsers. */
export interface StreamedEvent extends Omit<SeenEvent, 'roundId'> {
  readonly id: string;
  readonly round_id: number | null;
}

/** A real client of `GET /api/events` with its received events. */
export interface Streamed extends Collected<StreamedEvent>, Disposable {
  readonly source: EventSource;
}

export function eventSource(url: string, fetched?: EventSourceInit['fetch']): Streamed {
  const source = new EventSource(url, fetched === undefined ? {} : { fetch: fetched });
  const seen = collector<StreamedEvent>();
  for (const kind of [...EVENT_KINDS, 'HEARTBEAT']) {
    source.addEventListener(kind, ({ data, lastEventId }) =>
      seen.add({ ...JSON.parse(String(data)), id: lastEventId }),
    );
  }
  source.addEventListener('error', ({ code, message }) => {
    if (source.readyState === source.CLOSED) seen.fail(new Error(`${code} ${message}`));
  });
  return { ...seen, source, [Symbol.dispose]: () => source.close() };
}
