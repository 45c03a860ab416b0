import { setImmediate } from 'node:timers/promises';

import type { Request, Response } from 'express';

import type { Clock } from '../clock.ts';
import { EVENT_KINDS } from '../entities/event.ts';
import { callAfter } from '../deadline.ts';
import { checkKnown, queryOf, singleValue, someOf, wholeNumber } from '../http/parameters.ts';
import { madeOnceFor } from '../in-flight.ts';
import type { Intervals, Shares } from './bounds.ts';
import { inRestForm, type LoggedEvent } from './event-log.ts';
import type { LogFollower } from './log-follower.ts';
import { drained } from './frames.ts';
import type { Heartbeat } from './log-subscription.ts';
import { DomainError, refused } from '../rules/errors.ts';

interface EventStreamDeps {
  readonly log: LogFollower;
  readonly clock: Clock;
  readonly connections: Shares;
  readonly intervals: Intervals;
}

const HEADERS = { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' };
/** Before a browser reconnects. Multiples of the golden ratio spread any number of streams evenly. */
const RECONNECT_MS = { least: 1000, spread: 2000, step: 0.618034 };
const TRY_AGAIN_SECONDS = 15;

/** `id` is the seq, so that a browser resumes with `Last-Event-ID` by itself. */
export function eventStreams(deps: EventStreamDeps) {
  const open = new Map<Response, () => void>();
  let streams = 0;
  const nextRetryMs = (): number => {
    const { least, spread, step } = RECONNECT_MS;
    streams += 1;
    return least + Math.round(spread * ((streams * step) % 1));
  };
  const bytesOf = madeOnceFor((event: LoggedEvent | Heartbeat) => Buffer.from(messageOf(event)));
  const unnamedBytesOf = madeOnceFor((event: LoggedEvent | Heartbeat) => Buffer.from(unnamedMessageOf(event)));
  return {
    answer: async (request: Request, response: Response): Promise<void> => {
      const query = eventQueryOf(request);
      if (query.after !== null) await deps.log.checkResumable(query.after);
      // A client that left during the lookup emits no further close event, so its connection would never be given back.
      if (response.closed) return;
      if (request.method === 'HEAD') return void response.writeHead(200, HEADERS).end();
      const giveBack = deps.connections.take(request.ip ?? '');
      if (giveBack === null) {
        const message = 'This address has too many open connections; close some.';
        throw new DomainError('too_many_connections', message, { retryAfter: TRY_AGAIN_SECONDS });
      }
      const shape = query.unnamed ? unnamedBytesOf : bytesOf;
      const stop = stream({ ...deps, bytesOf: shape, retryMs: nextRetryMs() }, response, query);
      // A stream keeps its request, and short headers take some twenty times their bytes.
      request.headers = {};
      request.rawHeaders.length = 0;
      open.set(response, stop);
      response.once('close', () => {
        stop();
        open.delete(response);
        giveBack();
      });
    },
    count: () => open.size,
    close(): void {
      for (const [response, stop] of open) {
        stop();
        response.end();
      }
    },
  };
}

interface StreamDeps extends EventStreamDeps {
  readonly bytesOf: (event: LoggedEvent | Heartbeat) => Buffer;
  readonly retryMs: number;
}

function stream(deps: StreamDeps, response: Response, { after, kinds }: ReturnType<typeof eventQueryOf>): () => void {
  const { log, clock, intervals, retryMs } = deps;
  let lastSeq = after ?? log.lastSeq();
  let sending = false;
  const send = async (): Promise<void> => {
    sending = true;
    while (isOpen(response) && lastSeq < log.lastSeq()) {
      const { events, upTo } = await log.readAfter(lastSeq);
      for (const event of events)
        if (kinds === null || kinds.has(event.kind)) await write(response, deps.bytesOf(event), intervals.stalledMs);
      lastSeq = upTo;
      // Cached pages resolve without a wait: the event loop must serve others between them.
      await setImmediate();
    }
    sending = false;
  };
  const resume = (): void => {
    if (!sending) send().catch(() => response.destroy());
  };
  const beat = (): void => {
    if (sending) return;
    response.write(deps.bytesOf({ seq: lastSeq, kind: 'HEARTBEAT', at: clock.now(), roundId: null, payload: {} }));
  };
  response.writeHead(200, HEADERS).write(`retry: ${retryMs}\n\n`);
  beat();
  resume();
  const timer = setInterval(beat, intervals.heartbeatMs);
  const stopEvents = log.onEvents(resume);
  return () => {
    clearInterval(timer);
    stopEvents();
  };
}

function isOpen(response: Response): boolean {
  return !response.closed && !response.writableEnded;
}

async function write(response: Response, bytes: Buffer, stalledMs: number): Promise<void> {
  if (!isOpen(response) || response.write(bytes) || response.closed) return;
  const stop = callAfter(stalledMs, () => response.destroy());
  await drained(response);
  stop();
}

function messageOf(event: LoggedEvent | Heartbeat): string {
  return `event: ${event.kind}\n${unnamedMessageOf(event)}`;
}

function unnamedMessageOf(event: LoggedEvent | Heartbeat): string {
  return `id: ${event.seq}\ndata: ${JSON.stringify(inRestForm(event))}\n\n`;
}

function eventQueryOf(request: Request) {
  const query = queryOf(request);
  checkKnown(query, ['after', 'lastEventId', 'kinds', 'unnamed']);
  const after = singleValue(query, 'after');
  const kinds = singleValue(query, 'kinds');
  const unnamed = singleValue(query, 'unnamed');
  return {
    after: resumedAfter(request, query) ?? seqOf('after', after),
    kinds: kinds === undefined ? null : kindsOf(kinds),
    /** Messages without a name all reach a browser's `onmessage`. */
    unnamed: unnamed !== undefined && isTrue(unnamed),
  };
}

/** Browsers resume with the header, polyfills with the query parameter. Empty: no event was seen yet. */
function resumedAfter(request: Request, query: URLSearchParams): number | null {
  const header = request.get('last-event-id') || undefined;
  const parameter = singleValue(query, 'lastEventId') || undefined;
  return seqOf('Last-Event-ID', header) ?? seqOf('lastEventId', parameter);
}

function seqOf(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const seq = wholeNumber(text, { min: 0, max: Number.MAX_SAFE_INTEGER });
  if (seq !== null) return seq;
  throw refused(name, 'the seq of an event, a whole number from 0', text);
}

function kindsOf(text: string): ReadonlySet<string> {
  const kinds = someOf(text, EVENT_KINDS);
  if (kinds !== null) return new Set(kinds);
  const unknown = text.split(',').find((kind) => someOf(kind, EVENT_KINDS) === null);
  throw refused('kinds', `one or more of ${EVENT_KINDS.join(', ')}, with commas and without spaces`, unknown);
}

function isTrue(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw refused('unnamed', 'true or false', text);
}
