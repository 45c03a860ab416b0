import type { LoggedEvent } from './event-log.ts';
import type { Feed } from './feed.ts';
import type { StateSource, Tick } from './subscription-sources.ts';
import type { SharedPayload } from './sink.ts';
import type { Member, Topic } from './topic.ts';

/** The subscribers of something that changes: each is sent how it is at present, and then each change. */
export interface StateSubscription {
  /** Those who begin at the same time share one look at the present. */
  begin(member: Member): void;
  readonly onEvents: (events: readonly LoggedEvent[]) => void;
  /** `seq` is the newest event when the tick was noticed. */
  readonly onTick: (tick: Tick, seq: number) => void;
}

export interface StateSubscriptionNeeds {
  readonly feed: Feed;
  readonly topic: Topic;
  readonly source: StateSource;
  readonly args: Readonly<Record<string, unknown>>;
}

/** So often one looks at the present before taking it as it is, although events were being written meanwhile. */
const MOST_LOOKS = 5;

export function stateSubscription({ feed, topic, source, args }: StateSubscriptionNeeds): StateSubscription {
  let waiting: Member[] = [];
  let joining: Member[] = [];
  const admit = async (): Promise<void> => {
    joining = waiting;
    waiting = [];
    if (!joining.some(topic.expects)) return;
    const { payload, seq } = await presentState(feed, topic);
    for (const member of joining.filter(topic.expects)) {
      member.place = seq;
      member.sink.send(payload);
      topic.join(member);
    }
  };
  return {
    begin(member) {
      topic.expect(member);
      waiting.push(member);
      if (waiting.length === 1) topic.inTurn(admit, () => joining);
    },
    onEvents(events) {
      for (const event of events) {
        const root = source.onEvent(event, args);
        if (root !== null) topic.publish(root, { seq: event.seq, isEvent: true });
      }
    },
    onTick(tick, seq) {
      const root = source.onTick(tick, args);
      if (root !== null) topic.publish(root, { seq, isEvent: false });
    },
  };
}

/**
 * How things are, and the newest event that is in it: whoever gets it must not hear of that event again, which would
 * take it back in time. So nothing may be written while one looks.
 */
async function presentState(feed: Feed, topic: Topic): Promise<{ payload: SharedPayload; seq: number }> {
  let before = await feed.logEnd();
  for (let looks = 1; ; looks += 1) {
    const payload = await topic.payloadOf({});
    const after = await feed.logEnd();
    if (after === before || looks === MOST_LOOKS) return { payload, seq: before };
    before = after;
  }
}
