import type { Bus } from '../backplane.ts';
import { localBus } from '../local.ts';
import type { RedisClient } from './client.ts';

interface RedisBusOptions {
  readonly publisher: RedisClient;
  /** A connection for the bus alone: one that subscribes takes no other commands. */
  readonly subscriber: RedisClient;
  readonly channel: string;
  /** What no other process calls itself. */
  readonly processId: string;
}

export interface RedisBus extends Bus {
  /** Resolves when this process receives the others' messages. */
  readonly listening: Promise<void>;
}

/**
 * Nudges over Redis's pub/sub. A nudge of this process reaches it without Redis; what Redis does not deliver is lost,
 * and the feed finds it by looking.
 */
export function redisBus({ publisher, subscriber, channel, processId }: RedisBusOptions): RedisBus {
  const here = localBus();
  subscriber.on('message', (_channel: string, sender: string) => {
    if (sender !== processId) here.nudge();
  });
  // While Redis is away both fail, which the connections themselves report. A connection that was refused at first has
  // to subscribe by itself: ioredis only does it again where it was done.
  const listening = Promise.withResolvers<void>();
  const subscribe = (): void => {
    subscriber.subscribe(channel).then(() => listening.resolve(), noop);
  };
  if (subscriber.status === 'ready') subscribe();
  subscriber.on('ready', subscribe);
  return {
    nudge: () => {
      here.nudge();
      publisher.publish(channel, processId).catch(noop);
    },
    onNudge: here.onNudge,
    listening: listening.promise,
  };
}

function noop(): void {}
