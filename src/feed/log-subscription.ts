import { setImmediate } from 'node:timers/promises';

import type { Clock } from '../clock.ts';
import { madeOnceFor } from '../in-flight.ts';
import type { LoggedEvent } from './event-log.ts';
import type { LogFollower } from './log-follower.ts';
import type { RootValue } from './executions.ts';
import type { SharedExecution, Subscriber } from './shared-execution.ts';
import type { Subscription } from './subscription-fields.ts';

/** A heartbeat repeats the last seq; it has none of its own. */
export interface Heartbeat extends Omit<LoggedEvent, 'kind'> {
  readonly kind: 'HEARTBEAT';
}

interface LogSubscriptionDeps {
  readonly log: LogFollower;
  readonly clock: Clock;
  readonly shared: SharedExecution;
  readonly carries: (event: LoggedEvent) => boolean;
}

/** Each subscriber has its own seq. Without `after` a heartbeat comes first, with the seq to resume from. */
export function logSubscription({ log, clock, shared, carries }: LogSubscriptionDeps): Subscription {
  // The same root value for the same event, since executions are cached by root value.
  const rootOf = madeOnceFor((event: LoggedEvent): RootValue => ({ events: event }));
  const beats = lastBeat(clock);
  const catchUp = replay({ log, shared, carries, rootOf });
  let newest = log.lastSeq();
  const begin = async (subscriber: Subscriber, after: number | null): Promise<void> => {
    shared.add(subscriber);
    subscriber.lastSeq = after ?? log.lastSeq();
    if (after === null) await sendInOrder(shared, subscriber, [beats.at(subscriber.lastSeq)]);
    else await log.checkResumable(after);
    await catchUp(subscriber);
  };
  return {
    tick: null,
    join(sink, after) {
      const subscriber = { sink, lastSeq: 0 };
      begin(subscriber, after).catch((error: unknown) => shared.fail(subscriber, error));
      return () => shared.leave(subscriber);
    },
    onEvents(events) {
      shared.forget();
      for (const event of events) if (carries(event)) shared.publish(rootOf(event), { seq: event.seq, isEvent: true });
      newest = events.at(-1)?.seq ?? newest;
    },
    onTick: () => {},
    heartbeat() {
      beats.forget();
      shared.forget();
      shared.publish(beats.at(newest), { seq: newest, isEvent: false });
    },
  };
}

function replay({
  log,
  shared,
  carries,
  rootOf,
}: Omit<LogSubscriptionDeps, 'clock'> & { readonly rootOf: (event: LoggedEvent) => RootValue }) {
  return async (subscriber: Subscriber): Promise<void> => {
    while (shared.has(subscriber) && subscriber.lastSeq < log.lastSeq()) {
      const { events, upTo } = await log.readAfter(subscriber.lastSeq);
      const carried = events.filter(carries);
      for (let at = 0; at < carried.length; at += shared.together) {
        await sendInOrder(shared, subscriber, carried.slice(at, at + shared.together).map(rootOf));
        if (!shared.has(subscriber)) return;
      }
      subscriber.lastSeq = upTo;
      // Cached pages resolve without a wait: the event loop must serve others between them.
      await setImmediate();
    }
    // No await since the last check of the log: an event in between would be missed.
    if (shared.has(subscriber)) shared.goLive(subscriber);
  };
}

async function sendInOrder(shared: SharedExecution, subscriber: Subscriber, due: readonly RootValue[]): Promise<void> {
  for (const result of shared.payloadsFor([subscriber], due)) {
    const payload = await result;
    await subscriber.sink.ready();
    if (!shared.has(subscriber)) return;
    subscriber.sink.send(payload);
  }
}

function lastBeat(clock: Clock) {
  let last: { readonly events: Heartbeat } | null = null;
  return {
    at(seq: number): RootValue {
      if (last?.events.seq !== seq) {
        last = { events: { seq, kind: 'HEARTBEAT', at: clock.now(), roundId: null, payload: {} } };
      }
      return last;
    },
    forget(): void {
      last = null;
    },
  };
}
