import { expect, test } from '@jest/globals';

import type { LoggedEvent } from '../../src/feed/event-log.ts';
import type { LogFollower } from '../../src/feed/log-follower.ts';
import type { Executions, RootValue } from '../../src/feed/executions.ts';
import { SharedPayload } from '../../src/feed/frames.ts';
import { openSharedExecution } from '../../src/feed/shared-execution.ts';
import { stateSubscription } from '../../src/feed/state-subscription.ts';
import { collector } from '../support/collector.ts';

/** A subscription to a state that has read the log up to the given seqs, one after the other. */
function subscribed(...ends: readonly number[]) {
  const left = [...ends];
  const log: LogFollower = {
    lastSeq: () => 0,
    readAfter: async (seq) => ({ events: [], upTo: seq }),
    checkResumable: async () => {},
    logEnd: async () => left.shift() ?? 0,
    onEvents: () => () => {},
    stop: async () => {},
  };
  let reads = 0;
  const textOf = ({ event }: RootValue): string =>
    event === undefined ? `state ${(reads += 1)}` : `event ${Number(event)}`;
  const executions: Executions = {
    of: (roots) => roots.map(async (root) => new SharedPayload(textOf(root))),
    forget: () => {},
    together: 1,
  };
  const shared = openSharedExecution({ executions, spend: async () => {}, onEmpty: () => {} });
  const row = {
    kind: 'state',
    tick: null,
    onEvent: ({ seq }: LoggedEvent) => ({ event: seq }),
    onTick: () => null,
  } as const;
  const subscription = stateSubscription({ log, shared, row, args: {} });
  const received = collector<string>();
  const sink = {
    address: '10.0.0.1',
    send: (payload: SharedPayload) => received.add(String(payload.tail).slice(0, -1)),
    ready: async () => {},
    fail: (error: Error) => received.fail(error),
  };
  subscription.join(sink, null);
  const publish = (...seqs: readonly number[]): void =>
    subscription.onEvents(
      seqs.map((seq) => ({ seq, kind: 'ROUND_OPENED', at: new Date(0), roundId: null, payload: {} })),
    );
  return { received, publish, reads: () => reads };
}

test('the present state comes first, then only the events after it', async () => {
  const { received, publish, reads } = subscribed(2, 2);
  publish(1, 2, 3);
  expect(await received.first(2)).toEqual(['state 1', 'event 3']);
  expect(reads()).toBe(1);
});

test('a state that an event may have changed meanwhile is read again', async () => {
  const { received, publish } = subscribed(1, 2, 3, 3);
  publish(1, 2, 3, 4);
  expect(await received.first(2)).toEqual(['state 3', 'event 4']);
});

test('a state among events without a pause is sent after five reads, and no event is missed', async () => {
  const { received, publish, reads } = subscribed(1, 2, 3, 4, 5, 6, 7);
  publish(1, 2, 3, 4, 5, 6, 7);
  expect(await received.first(3)).toEqual(['state 5', 'event 6', 'event 7']);
  expect(reads()).toBe(5);
});
