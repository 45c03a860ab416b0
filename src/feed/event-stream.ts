import { setImmediate } from 'node:timers/promises';

import type { Request, Response } from 'express';

import type { Clock } from '../clock.ts';
import { DomainError } from '../rules/errors.ts';
import type { Connections } from './connections.ts';
import type { LoggedEvent } from './event-log.ts';
import { type EventQuery, eventQueryOf } from './event-query.ts';
import type { Feed } from './feed.ts';
import type { Intervals } from './intervals.ts';
import type { Heartbeat } from './log-subscription.ts';

export interface EventStreamNeeds {
  readonly feed: Feed;
  readonly clock: Clock;
  readonly connections: Connections;
  readonly intervals: Intervals;
}

export interface EventStreams {
  /** `GET /api/events`: the event log as server-sent events. Throws what the caller may read, before the first byte. */
  readonly answer: (request: Request, response: Response) => Promise<void>;
  /** Open streams. */
  readonly count: () => number;
  /** Ends every stream; clients come back by themselves and resume. */
  close(): void;
}

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};
const RECONNECT_MS = 1000;
const TRY_AGAIN_SECONDS = 15;

/** The log of events over plain HTTP: `id` is the seq, so that a browser resumes by `Last-Event-ID` by itself. */
export function eventStreams(needs: EventStreamNeeds): EventStreams {
  const open = new Map<Response, () => void>();
  const textOf = rememberTexts();
  return {
    async answer(request, response) {
      const query = eventQueryOf(request);
      if (query.after !== null) await needs.feed.checkResumable(query.after);
      // Nobody would hear of the end of a client that has gone while its place in the log was looked up.
      if (response.closed) return;
      const giveBack = needs.connections.take(request.ip ?? '');
      if (giveBack === null) {
        const message = 'This address has too many open connections; close some.';
        throw new DomainError('RATE_LIMITED', message, { retryAfter: TRY_AGAIN_SECONDS });
      }
      const stop = stream({ ...needs, textOf }, response, query);
      open.set(response, stop);
      response.once('close', () => {
        stop();
        open.delete(response);
        giveBack();
      });
    },
    count: () => open.size,
    close() {
      for (const [response, stop] of open) {
        stop();
        response.end();
      }
    },
  };
}

interface StreamNeeds extends EventStreamNeeds {
  readonly textOf: (event: LoggedEvent) => string;
}

/** Sends what follows `after`, then whatever happens; answers how to stop. A heartbeat first tells where to resume. */
function stream(needs: StreamNeeds, response: Response, { after, kinds }: EventQuery): () => void {
  const { feed, clock, intervals } = needs;
  let place = after ?? feed.lastSeq();
  let sending = false;
  const send = async (): Promise<void> => {
    sending = true;
    while (isOpen(response) && place < feed.lastSeq()) {
      for (const event of await feed.readAfter(place)) {
        if (kinds === null || kinds.has(event.kind)) await write(response, needs.textOf(event), intervals.stalledMs);
        place = event.seq;
      }
      // What is in memory comes without any wait: everybody else has a turn.
      await setImmediate();
    }
    sending = false;
  };
  const goOn = (): void => {
    if (!sending) send().catch(() => response.destroy());
  };
  const beat = (): void => {
    if (sending) return;
    response.write(messageOf({ seq: place, kind: 'HEARTBEAT', at: clock.now(), roundId: null, payload: {} }));
  };
  response.writeHead(200, HEADERS).write(`retry: ${RECONNECT_MS}\n\n`);
  beat();
  goOn();
  const timer = setInterval(beat, intervals.heartbeatMs);
  const stopEvents = feed.onEvents(goOn);
  return () => {
    clearInterval(timer);
    stopEvents();
  };
}

function isOpen(response: Response): boolean {
  return !response.closed && !response.writableEnded;
}

/** Waits while the reader lags, and cuts off one that reads nothing for long. */
async function write(response: Response, text: string, stalledMs: number): Promise<void> {
  if (!isOpen(response) || response.write(text) || response.closed) return;
  await new Promise<void>((resolve) => {
    const cut = setTimeout(() => response.destroy(), stalledMs);
    const goOn = (): void => {
      clearTimeout(cut);
      response.off('drain', goOn).off('close', goOn);
      resolve();
    };
    response.once('drain', goOn).once('close', goOn);
  });
}

/** The message of an event, made once for all readers. */
function rememberTexts(): (event: LoggedEvent) => string {
  const texts = new WeakMap<LoggedEvent, string>();
  return (event) => {
    const text = texts.get(event) ?? messageOf(event);
    texts.set(event, text);
    return text;
  };
}

function messageOf({ seq, kind, at, roundId, payload }: LoggedEvent | Heartbeat): string {
  const data = JSON.stringify({ seq, kind, at, round_id: roundId, payload });
  return `id: ${seq}\nevent: ${kind}\ndata: ${data}\n\n`;
}
