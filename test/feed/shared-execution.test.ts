import { expect, test } from '@jest/globals';

import type { Executions, RootValue } from '../../src/feed/executions.ts';
import { sharedPayload } from '../../src/feed/frames.ts';
import { type Member, openSharedExecution } from '../../src/feed/shared-execution.ts';
import { collector } from '../support/collector.ts';

/** A shared execution with one subscriber, whose executions wait until the test lets them go on. */
function sharedThatWaits() {
  const executed: unknown[] = [];
  const held = Promise.withResolvers<void>();
  const executions: Executions = {
    of: (roots) =>
      roots.map(async ({ name }) => {
        executed.push(name);
        await held.promise;
        return sharedPayload(JSON.stringify(name));
      }),
    forget: () => {},
    together: 1,
  };
  const shared = openSharedExecution({ executions, spend: async () => {}, onEmpty: () => {} });
  const told = collector<string>();
  const member: Member = {
    place: 0,
    sink: {
      address: '10.0.0.1',
      send: (payload) => told.add(String(payload.tail)),
      ready: async () => {},
      fail: (error) => told.fail(error),
    },
  };
  shared.expect(member);
  shared.join(member);
  return { shared, told, executed, goOn: held.resolve };
}

const root = (name: string): RootValue => ({ name });
const moment = (seq: number) => ({ seq, isEvent: false });
const event = (seq: number) => ({ seq, isEvent: true });

test('moments that wait become one, so that what is slow to execute never falls further behind', async () => {
  const { shared, told, executed, goOn } = sharedThatWaits();
  shared.publish(root('event 1'), event(1));
  for (let n = 1; n <= 100; n += 1) shared.publish(root(`moment ${n}`), moment(1));
  goOn();
  await told.first(2);
  expect(executed).toEqual(['event 1', 'moment 100']);
});

test('an event between two moments is told between them', async () => {
  const { shared, told, executed, goOn } = sharedThatWaits();
  shared.publish(root('moment 1'), moment(0));
  shared.publish(root('moment 2'), moment(0));
  shared.publish(root('event 1'), event(1));
  shared.publish(root('moment 3'), moment(1));
  goOn();
  await told.first(3);
  expect(executed).toEqual(['moment 2', 'event 1', 'moment 3']);
});
