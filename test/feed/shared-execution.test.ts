import { expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';

import type { Executions, RootValue } from '../../src/feed/executions.ts';
import { SharedPayload } from '../../src/feed/frames.ts';
import { openSharedExecution, type Subscriber } from '../../src/feed/shared-execution.ts';
import { collector } from '../support/collector.ts';

/** A shared execution with one subscriber, whose executions wait until the test lets them go on. */
function sharedThatWaits(lastSeq = 0) {
  const executed: unknown[] = [];
  const held = Promise.withResolvers<void>();
  const executions: Executions = {
    of: (roots) =>
      roots.map(async ({ name }) => {
        executed.push(name);
        await held.promise;
        return new SharedPayload(JSON.stringify(name));
      }),
    forget: () => {},
    together: 1,
  };
  let empty = false;
  const shared = openSharedExecution({ executions, spend: async () => {}, onEmpty: () => (empty = true) });
  const received = collector<string>();
  const subscriber: Subscriber = {
    lastSeq,
    sink: {
      address: '10.0.0.1',
      send: (payload) => received.add(String(payload.tail)),
      ready: async () => {},
      fail: (error) => received.fail(error),
    },
  };
  shared.add(subscriber);
  shared.goLive(subscriber);
  return { shared, subscriber, received, executed, goOn: held.resolve, fail: held.reject, isEmpty: () => empty };
}

const root = (name: string): RootValue => ({ name });
const moment = (seq: number) => ({ seq, isEvent: false });
const event = (seq: number) => ({ seq, isEvent: true });

test('waiting updates are merged, so that a slow execution never falls further behind', async () => {
  const { shared, received, executed, goOn } = sharedThatWaits();
  shared.publish(root('event 1'), event(1));
  for (let n = 1; n <= 100; n += 1) shared.publish(root(`moment ${n}`), moment(1));
  goOn();
  await received.first(2);
  expect(executed).toEqual(['event 1', 'moment 100']);
});

test('an event between two updates is sent between them', async () => {
  const { shared, received, executed, goOn } = sharedThatWaits();
  shared.publish(root('moment 1'), moment(0));
  shared.publish(root('moment 2'), moment(0));
  shared.publish(root('event 1'), event(1));
  shared.publish(root('moment 3'), moment(1));
  goOn();
  await received.first(3);
  expect(executed).toEqual(['moment 2', 'event 1', 'moment 3']);
});

test('a subscriber gets no event again that it has seen, and no older state', async () => {
  const { shared, received, goOn } = sharedThatWaits(2);
  shared.publish(root('moment 1'), moment(1));
  for (const seq of [1, 2, 3, 3]) shared.publish(root(`event ${seq}`), event(seq));
  shared.publish(root('moment 3'), moment(3));
  goOn();
  expect(await received.first(2)).toEqual(['"event 3"}', '"moment 3"}']);
});

test('a failed execution ends only the subscriptions that have not seen its event', async () => {
  const { shared, subscriber, received, fail } = sharedThatWaits(2);
  const sent = async () => {
    const over = Promise.withResolvers<void>();
    shared.inTurn(
      async () => over.resolve(),
      () => [],
    );
    await over.promise;
  };
  shared.publish(root('event 2'), event(2));
  fail(new Error('broken'));
  await sent();
  expect(shared.has(subscriber)).toBe(true);
  shared.publish(root('event 3'), event(3));
  await sent();
  expect(shared.has(subscriber)).toBe(false);
  await expect(received.first(1)).rejects.toThrow('broken');
});

test('a shared execution is empty only once its last subscriber has left', () => {
  const { shared, subscriber, isEmpty } = sharedThatWaits();
  const other: Subscriber = { lastSeq: 0, sink: subscriber.sink };
  shared.add(other);
  shared.leave(subscriber);
  shared.leave(subscriber);
  expect(isEmpty()).toBe(false);
  shared.leave(other);
  expect(isEmpty()).toBe(true);
});

test('the event loop serves others while an event is sent to many', async () => {
  const { shared, goOn } = sharedThatWaits();
  const counts = { sent: 0, when: [] as number[] };
  for (let n = 0; n < 2_000; n += 1) {
    const sink = { address: '10.0.0.1', send: () => void (counts.sent += 1), ready: async () => {}, fail: () => {} };
    const subscriber: Subscriber = { lastSeq: 0, sink };
    shared.add(subscriber);
    shared.goLive(subscriber);
  }
  shared.publish(root('event 1'), event(1));
  goOn();
  while (counts.sent < 2_000) {
    await setImmediate();
    counts.when.push(counts.sent);
  }
  const steps = counts.when.map((sent, place) => sent - (counts.when[place - 1] ?? 0));
  expect(Math.max(...steps)).toBeLessThanOrEqual(500);
});

test('a subscriber that leaves during a broadcast gets no further event', async () => {
  const { shared, goOn } = sharedThatWaits();
  const received = collector<number>();
  const subscribers: Subscriber[] = [];
  for (let n = 0; n < 600; n += 1) {
    const send = (): void => {
      received.add(n);
      const [last] = subscribers.slice(-1);
      if (n === 0 && last !== undefined) shared.leave(last);
    };
    subscribers.push({ lastSeq: 0, sink: { address: '10.0.0.1', send, ready: async () => {}, fail: () => {} } });
  }
  for (const subscriber of subscribers) {
    shared.add(subscriber);
    shared.goLive(subscriber);
  }
  shared.publish(root('event 1'), event(1));
  shared.publish(root('event 2'), event(2));
  goOn();
  const all = await received.first(2 * 599);
  expect(all.filter((n) => n === 598)).toHaveLength(2);
  expect(all).not.toContain(599);
});
