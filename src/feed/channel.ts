import type { Clock } from '../clock.ts';
import type { LoggedEvent } from './event-log.ts';
import type { Feed } from './feed.ts';
import { logSubscription } from './log-subscription.ts';
import type { Sink } from './sink.ts';
import { stateSubscription } from './state-subscription.ts';
import { type LogSource, type StateSource, SUBSCRIPTION_SOURCES, type Tick } from './subscription-sources.ts';
import { type Execute, openTopic, type Topic } from './topic.ts';

/** A subscription operation, ready to run. */
export interface Operation {
  /** Equal for operations whose results are the same for everybody: document, variables, whose eyes see it. */
  readonly key: string;
  /** The field of `type Subscription`, and its arguments. */
  readonly field: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** From which event on, for the log: the seq of the last one seen. Not part of the key. */
  readonly after: number | null;
  readonly execute: Execute;
}

/** The subscribers of one key. */
export interface Channel {
  /** The ticks that it hears. */
  readonly tick: Tick['name'] | null;
  /** Answers how to leave again. A subscription that cannot begin, or go on, leaves and fails its sink. */
  join(sink: Sink, after: number | null): () => void;
  onEvents(events: readonly LoggedEvent[]): void;
  /** `seq` is the newest event when the tick was noticed. */
  onTick(tick: Tick, seq: number): void;
  heartbeat(): void;
}

export interface ChannelNeeds {
  readonly feed: Feed;
  readonly clock: Clock;
}

/** A channel for operations like this one; `onEmpty` is called when its last subscriber has left. */
export function openChannel(needs: ChannelNeeds, { field, args, execute }: Operation, onEmpty: () => void): Channel {
  const source = SUBSCRIPTION_SOURCES[field];
  if (source === undefined) throw new Error(`The subscription field ${field} has no row in SUBSCRIPTION_SOURCES`);
  const topic = openTopic(execute, onEmpty);
  return source.kind === 'log'
    ? logChannel(needs, topic, { source, args })
    : stateChannel(needs, topic, { source, args });
}

function logChannel(
  needs: ChannelNeeds,
  topic: Topic,
  { source, args }: { source: LogSource; args: Operation['args'] },
): Channel {
  const log = logSubscription({ ...needs, topic, carries: (event) => source.carries(event, args) });
  return {
    tick: null,
    join(sink, after) {
      const member = { sink, place: 0 };
      log.follow(member, after).catch((error: unknown) => topic.fail(member, error));
      return () => topic.leave(member);
    },
    onEvents: log.onEvents,
    onTick: () => {},
    heartbeat: log.heartbeat,
  };
}

function stateChannel(
  { feed }: ChannelNeeds,
  topic: Topic,
  { source, args }: { source: StateSource; args: Operation['args'] },
): Channel {
  const state = stateSubscription({ feed, topic, source, args });
  return {
    tick: source.tick,
    join(sink) {
      const member = { sink, place: 0 };
      state.begin(member);
      return () => topic.leave(member);
    },
    onEvents: state.onEvents,
    onTick: state.onTick,
    heartbeat: () => {},
  };
}
