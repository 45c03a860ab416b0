import { setImmediate } from 'node:timers/promises';

import type { Clock } from '../clock.ts';
import type { LoggedEvent } from './event-log.ts';
import type { Feed } from './feed.ts';
import type { RootValue } from './subscription-sources.ts';
import type { Member, Topic } from './topic.ts';

/** A heartbeat repeats the last seq and takes none. */
export interface Heartbeat extends Omit<LoggedEvent, 'kind'> {
  readonly kind: 'HEARTBEAT';
}

/** The subscribers of one selection of the event log, each at its own place in it. */
export interface LogSubscription {
  /**
   * Sends everything after `after` that is carried, in order, and goes on with what happens from then on. Without
   * `after` a heartbeat comes first: it tells where to resume. Rejects when the subscription cannot begin or go on.
   */
  follow(member: Member, after: number | null): Promise<void>;
  readonly onEvents: (events: readonly LoggedEvent[]) => void;
  readonly heartbeat: () => void;
}

export interface LogSubscriptionNeeds {
  readonly feed: Feed;
  readonly clock: Clock;
  readonly topic: Topic;
  readonly carries: (event: LoggedEvent) => boolean;
}

export function logSubscription({ feed, clock, topic, carries }: LogSubscriptionNeeds): LogSubscription {
  const roots = new WeakMap<LoggedEvent, RootValue>();
  const rootOf = (event: LoggedEvent): RootValue => {
    const root = roots.get(event) ?? { events: event };
    roots.set(event, root);
    return root;
  };
  const beats = lastBeat(clock);
  let newest = feed.lastSeq();

  const send = async (member: Member, root: RootValue): Promise<void> => {
    const payload = await topic.payloadOf(root);
    await member.sink.ready();
    if (topic.expects(member)) member.sink.send(payload);
  };
  const catchUp = async (member: Member): Promise<void> => {
    while (topic.expects(member) && member.place < feed.lastSeq()) {
      for (const event of await feed.readAfter(member.place)) {
        if (carries(event)) await send(member, rootOf(event));
        member.place = event.seq;
        if (!topic.expects(member)) return;
      }
      // What is in memory comes without any wait: everybody else has a turn.
      await setImmediate();
    }
    // Without a wait since the last look at the log: an event between the two would be missed.
    if (topic.expects(member)) topic.join(member);
  };
  return {
    async follow(member, after) {
      topic.expect(member);
      member.place = after ?? feed.lastSeq();
      if (after === null) await send(member, beats.at(member.place));
      else await feed.checkResumable(after);
      await catchUp(member);
    },
    onEvents(events) {
      topic.forget();
      for (const event of events) if (carries(event)) topic.publish(rootOf(event), { seq: event.seq, isEvent: true });
      newest = events.at(-1)?.seq ?? newest;
    },
    heartbeat() {
      beats.forget();
      topic.forget();
      topic.publish(beats.at(newest), { seq: newest, isEvent: false });
    },
  };
}

/** The last heartbeat: the same one for all who ask at the same place, until the next is due. */
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
