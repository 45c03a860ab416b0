import type { Redis } from 'ioredis';

import { type Bus, type Change, CHANGES } from '../backplane.ts';
import { localBus } from '../local.ts';

interface RedisBusOptions {
  readonly publisher: Redis;
  /** A connection that subscribes takes no other commands. */
  readonly subscriber: Redis;
  readonly channel: string;
  readonly processId: string;
}

/** Changes, maybe thousands a second, are sent together at this interval (real milliseconds). */
const BATCH_INTERVAL_MS = 20;

/** Messages go over Redis's pub/sub; this process gets its own directly. Lost nudges cost time: the feed also polls. */
export function redisBus({
  publisher,
  subscriber,
  channel,
  processId,
}: RedisBusOptions): Bus & { readonly listening: Promise<void> } {
  const here = localBus();
  subscriber.on('message', (_channel: string, message: string) => {
    // Without changes a message is a nudge.
    const [sender, ...changes] = message.split(' ');
    if (sender === processId) return;
    if (changes.length === 0) here.nudge();
    for (const change of CHANGES) if (changes.includes(change)) here.publish(change);
  });
  // At each ready, since the client does not repeat subscriptions. Failures are reported by the connections.
  const listening = Promise.withResolvers<void>();
  const subscribed = (): void => {
    listening.resolve();
    // Others may have published any of them while the connection was lost.
    for (const change of CHANGES) here.publish(change);
  };
  const subscribe = (): void => void subscriber.subscribe(channel).then(subscribed, () => {});
  if (subscriber.status === 'ready') subscribe();
  subscriber.on('ready', subscribe);
  const gathered = gathering((changes) => {
    publisher.publish(channel, [processId, ...changes].join(' ')).catch(() => {});
  });
  return {
    ...here,
    nudge: () => {
      here.nudge();
      publisher.publish(channel, processId).catch(() => {});
    },
    publish: (change) => {
      here.publish(change);
      gathered(change);
    },
    listening: listening.promise,
  };
}

function gathering(send: (changes: ReadonlySet<Change>) => void): (change: Change) => void {
  let waiting = new Set<Change>();
  return (change) => {
    if (waiting.size === 0) {
      setTimeout(() => {
        const changes = waiting;
        waiting = new Set();
        send(changes);
      }, BATCH_INTERVAL_MS).unref();
    }
    waiting.add(change);
  };
}
