import { setTimeout as delay } from 'node:timers/promises';

import { EventSource } from 'eventsource';

import { socketClient } from './socket-client.ts';
import { recordOf } from './http.ts';

/** A reader of the live feed that reconnects after every fault and resumes after its last event. */
export interface Subscriber extends AsyncDisposable {
  readonly name: string;
  /** The newest received seq. */
  readonly last: number;
  /** Received events in order: `41 ROUND_OPENED 12`, the last being the round's id or `null`. */
  readonly received: readonly string[];
  /** Every gap and duplicate, as text. */
  readonly faults: readonly string[];
  /** Received errors; it retries after each. */
  readonly refusals: readonly string[];
  /** The number of connects. */
  readonly connections: number;
  /** Resolves when it has received `seq`; throws after `timeoutMs`. */
  reaches(seq: number, timeoutMs?: number): Promise<void>;
}

const KINDS = [
  'ROUND_STORED',
  'ROUND_OPENED',
  'ROUND_CLOSED',
  'ROUND_RESOLVED',
  'ROUND_VOID',
  'LEADERBOARD_CHANGED',
  'TIER_CHANGED',
  'FORECAST',
  'ADMIN_ACTION',
];
const EVENTS = 'subscription ($after: Int) { events(after: $after) { seq kind roundId } }';
const RETRY_MS = 50;
const SEGMENT_EVENTS = 1_000;
/** Long enough for a loaded machine: it ends only tests that hang. */
const CAUGHT_UP_MS = 180_000;

/** Over WebSocket. Each connect uses the next one of `urls`. */
export function socketSubscriber(name: string, urls: readonly string[]): Subscriber {
  const state = hearing(name);
  let turn = 0;
  let over = false;
  const client = socketClient(() => urls[turn++ % urls.length] ?? '', {
    async comeBack() {
      await delay(RETRY_MS);
      // The library reconnects for ever after a lost connection; only this wait stops it.
      if (over) await new Promise(() => {});
    },
    onConnected: () => state.connected(),
  });
  const subscribe = (): void => {
    if (over) return;
    // Evaluated at each connect: resumes after the newest received event.
    const query = {
      query: EVENTS,
      get variables() {
        return { after: state.last };
      },
    };
    client.subscribe(query, {
      next: ({ data, errors }) => {
        if (errors) state.refused(JSON.stringify(errors));
        else state.receive(recordOf(recordOf(data)['events']));
      },
      error: (error) => {
        state.refused(error instanceof Error ? error.message : JSON.stringify(error));
        setTimeout(subscribe, RETRY_MS);
      },
      complete: () => void setTimeout(subscribe, RETRY_MS),
    });
  };
  subscribe();
  return state.subscriber(async () => {
    over = true;
    // Not awaited: while it connects to a dead service, it waits for an answer that never comes.
    Promise.resolve(client.dispose()).catch(() => {});
  });
}

/** Over server-sent events, with a browser's rules for reconnects. */
export function streamSubscriber(name: string, urls: readonly string[]): Subscriber {
  const state = hearing(name);
  let turn = 0;
  let over = false;
  let source: EventSource | undefined;
  const connect = (): void => {
    if (over) return;
    const opened = new EventSource(`${urls[turn++ % urls.length]}/api/events?after=${state.last}`);
    source = opened;
    opened.addEventListener('open', () => state.connected());
    for (const kind of KINDS)
      opened.addEventListener(kind, ({ data }) => {
        const { seq, round_id: roundId } = recordOf(JSON.parse(String(data)));
        state.receive({ seq, kind, roundId });
      });
    opened.addEventListener('error', ({ code, message }) => {
      if (code !== undefined) state.refused(`${code} ${message}`);
      // It would wait a second, and give up after a status such as 503.
      opened.close();
      setTimeout(connect, RETRY_MS);
    });
  };
  connect();
  return state.subscriber(async () => {
    over = true;
    source?.close();
  });
}

/** By polls of the head, and of the segments that it lacks. Caches may keep both. */
export function segmentSubscriber(name: string, url: string): Subscriber {
  const state = hearing(name);
  const over = new AbortController();
  const read = async (path: string): Promise<Readonly<Record<string, unknown>>> => {
    const response = await fetch(url + path, { signal: over.signal });
    if (!response.ok) throw new Error(`${response.status} ${path}`);
    return recordOf(await response.json());
  };
  const receive = ({ events }: Readonly<Record<string, unknown>>): void => {
    for (const { seq, kind, round_id: roundId } of Array.isArray(events) ? events.map(recordOf) : [])
      // A kept head is older than a segment that was read after it.
      if (Number(seq) > state.last) state.receive({ seq, kind, roundId });
  };
  const poll = async (): Promise<void> => {
    const head = await read('/api/events/head');
    let n = Math.floor(state.last / SEGMENT_EVENTS) + 1;
    while (n <= Number(head['last_segment'])) {
      const segment = await read(String(head['segment_path']).replace('{n}', String(n)));
      receive(segment);
      n = Number(segment['next_segment']);
    }
    receive(head);
  };
  const live = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await poll().catch((error: unknown) => state.refused(String(error)));
      await delay(RETRY_MS);
    }
  };
  const lives = live();
  return state.subscriber(async () => {
    over.abort();
    await lives;
  });
}

function hearing(name: string) {
  const received: string[] = [];
  const faults: string[] = [];
  const refusals: string[] = [];
  const waiting = new Set<() => void>();
  const state = { last: 0, connections: 0 };
  return {
    get last() {
      return state.last;
    },
    connected: (): void => void (state.connections += 1),
    refused: (what: string): void => void refusals.push(`${name} is told ${what}`),
    receive({ seq, kind, roundId }: Readonly<Record<string, unknown>>): void {
      if (kind === 'HEARTBEAT') return;
      const number = Number(seq);
      if (number !== state.last + 1) faults.push(`${name} hears ${number} ${String(kind)} after ${state.last}`);
      state.last = Math.max(state.last, number);
      received.push(`${number} ${String(kind)} ${String(roundId)}`);
      for (const look of waiting) look();
    },
    subscriber: (dispose: () => Promise<void>): Subscriber => ({
      name,
      received,
      faults,
      refusals,
      get last() {
        return state.last;
      },
      get connections() {
        return state.connections;
      },
      reaches: (seq, timeoutMs = CAUGHT_UP_MS) =>
        new Promise((resolve, reject) => {
          const done = (end: () => void): void => {
            waiting.delete(look);
            clearTimeout(timer);
            end();
          };
          const look = (): void => {
            if (state.last >= seq) done(resolve);
          };
          const late = new Error(`${name} has received ${state.last} of ${seq} after ${timeoutMs} ms`);
          const timer = setTimeout(() => done(() => reject(late)), timeoutMs);
          waiting.add(look);
          look();
        }),
      [Symbol.asyncDispose]: dispose,
    }),
  };
}
