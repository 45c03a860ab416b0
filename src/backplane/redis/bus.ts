import type { Redis } from 'ioredis';

import { type Bus, type Change, CHANGES } from '../backplane.ts';
import { localBus } from '../local.ts';
import { SECOND } from '../../rules/hours.ts';
import type { Outage } from './client.ts';

export const MESSAGES = 'messages';

interface RedisBusOptions {
  readonly publisher: Redis;
  /** A connection that subscribes takes no other commands. */
  readonly subscriber: Redis;
  readonly channel: string;
  readonly processId: string;
  readonly outage: Outage;
}

const RETRY_MS = SECOND;

/** Changes, maybe thousands a second, are sent together at this interval (real milliseconds). */
const BATCH_INTERVAL_MS = 20;

/** Messages go over Redis's pub/sub; this process gets its own directly. Lost nudges cost time: the feed also polls. */
export function redisBus({
  publisher,
  subscriber,
  channel,
  processId,
  outage,
}: RedisBusOptions): Bus & { readonly listening: Promise<void> } {
  const here = localBus();
  subscriber.on('message', (_channel: string, message: string) => {
    // Without changes a message is a nudge.
    const [sender, ...changes] = message.split(' ');
    if (sender === processId) return;
    if (changes.length === 0) here.nudge();
    for (const change of CHANGES) if (changes.includes(change)) here.publish(change);
  });
  // At each ready, since the client does not repeat subscriptions. Lost connections report themselves.
  const listening = Promise.withResolvers<void>();
  const subscribed = (): void => {
    listening.resolve();
    outage.works(MESSAGES);
    // Others may have published any of them while the connection was lost.
    for (const change of CHANGES) here.publish(change);
  };
  let retry: NodeJS.Timeout | undefined;
  const refused = (error: Error): void => {
    if (subscriber.status !== 'ready') return;
    listening.resolve();
    outage.failed(MESSAGES, error);
    retry = setTimeout(subscribe, RETRY_MS).unref();
  };
  const subscribe = (): void => {
    clearTimeout(retry);
    if (subscriber.status === 'ready') subscriber.subscribe(channel).then(subscribed, refused);
  };
  subscribe();
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
