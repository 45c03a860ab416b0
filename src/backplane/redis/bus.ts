import type { Redis } from 'ioredis';

import { type Bus, type Change, CHANGES } from '../backplane.ts';
import { localBus } from '../local.ts';

interface RedisBusOptions {
  readonly publisher: Redis;
  /** A connection for the bus alone: one that subscribes takes no other commands. */
  readonly subscriber: Redis;
  readonly channel: string;
  /** What no other process calls itself. */
  readonly processId: string;
}

export interface RedisBus extends Bus {
  /** Resolves when this process receives the others' messages. */
  readonly listening: Promise<void>;
}

/** How often, in real milliseconds, changes are sent to other processes, together: there may be thousands in a second. */
const GATHER_MS = 20;

/**
 * Nudges and changes over Redis's pub/sub. A nudge of this process reaches it without Redis; what Redis does not deliver is lost,
 * and the feed finds it by looking.
 */
export function redisBus({ publisher, subscriber, channel, processId }: RedisBusOptions): RedisBus {
  const here = localBus();
  subscriber.on('message', (_channel: string, message: string) => {
    // A nudge is the sender's name alone; changes stand behind it.
    const [sender, ...told] = message.split(' ');
    if (sender === processId) return;
    if (told.length === 0) here.nudge();
    for (const change of CHANGES) if (told.includes(change)) here.tell(change);
  });
  // While Redis is away both fail, which the connections themselves report. A connection that was refused at first has
  // to subscribe by itself: ioredis only does it again where it was done.
  const listening = Promise.withResolvers<void>();
  const subscribe = (): void => {
    subscriber.subscribe(channel).then(() => listening.resolve(), noop);
  };
  if (subscriber.status === 'ready') subscribe();
  subscriber.on('ready', subscribe);
  const gathered = gathering((changes) => {
    publisher.publish(channel, [processId, ...changes].join(' ')).catch(noop);
  });
  return {
    nudge: () => {
      here.nudge();
      publisher.publish(channel, processId).catch(noop);
    },
    onNudge: here.onNudge,
    tell: (change) => {
      here.tell(change);
      gathered(change);
    },
    onChange: here.onChange,
    listening: listening.promise,
  };
}

/** Collects the changes of a moment and passes each on once. */
function gathering(send: (changes: ReadonlySet<Change>) => void): (change: Change) => void {
  let waiting = new Set<Change>();
  return (change) => {
    if (waiting.size === 0) {
      setTimeout(() => {
        const changes = waiting;
        waiting = new Set();
        send(changes);
      }, GATHER_MS).unref();
    }
    waiting.add(change);
  };
}

function noop(): void {}
