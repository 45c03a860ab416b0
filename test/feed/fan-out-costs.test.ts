import { expect, test } from '@jest/globals';

import { endOfLog, madeUpEvents } from '../support/written-events.ts';
import { messageOf, watchedHubs } from './watched-hub.ts';

const hub = watchedHubs();

test('live events are charged once each, to the subscribers’ addresses in turn', async () => {
  await hub().hearing(
    Array.from({ length: 4 }, (_, place) => ({ address: `10.0.0.${place % 2}` })),
    6,
  );
  const updates = hub().payments.filter(({ budget }) => budget === 'subscriptionUpdates');
  expect(updates.map(({ cost }) => cost)).toEqual(Array.from({ length: 6 }, () => 10));
  const byAddress = [...Map.groupBy(updates, ({ address }) => address).values()];
  expect(byAddress.map(({ length }) => length)).toEqual([3, 3]);
});

test('an address over its limit gets events as long as another one can be charged', async () => {
  const all = ['10.0.0.1', '10.0.0.2'].map((address) => hub().subscribe({ address }));
  await Promise.all(all.map((one) => one.first(1)));
  hub().poor.add('10.0.0.1');
  await hub().publish(madeUpEvents(4));
  await Promise.all(all.map((one) => one.first(5)));
  hub().poor.add('10.0.0.2');
  await hub().publish(madeUpEvents(1));
  for (const one of all) await expect(one.first(6)).rejects.toThrow('can pay nothing');
});

test('a concurrent subscriber is charged itself when another is over its limit', async () => {
  await hub().writeSeen(madeUpEvents(10));
  hub().poor.add('10.0.0.1');
  const asking = { variables: { after: 0 } };
  const [refused, received] = [
    hub().subscribe({ ...asking, address: '10.0.0.1' }),
    hub().subscribe({ ...asking, address: '10.0.0.2' }),
  ];
  await expect(refused?.first(1)).rejects.toThrow('can pay nothing');
  await received?.first(10);
});

test('a replay loads the rows of its events together', async () => {
  await hub().writeSeen(madeUpEvents(10));
  const received = hub().subscribe({ variables: { after: 0 } });
  const all = await endOfLog(hub().service);
  await received.first(all);
  expect(hub().executions).toHaveLength(1);
  expect(hub().payments).toEqual([{ budget: 'subscriptionReplays', address: '10.0.0.1', cost: 10 * all }]);
});

test('a replay reads the rounds of all its events in one statement, and none for plain events', async () => {
  const roundId = 1;
  await hub().writeSeen(madeUpEvents(50).map((event) => ({ ...event, roundId })));
  const all = await endOfLog(hub().service);
  const plain = hub().subscribe({ variables: { after: 0 } });
  await plain.first(all);
  expect(hub().statements()).toBe(0);
  const nested = hub().subscribe({ document: 'subscription { events(after: 0) { seq round { id status } } }' });
  const payloads = await nested.first(all);
  expect(hub().statements()).toBe(1);
  expect(messageOf('1', payloads.at(-1)).payload.data.events).toEqual({
    seq: all,
    round: { id: roundId, status: 'active' },
  });
  const byVariable = hub().subscribe({
    document: 'subscription ($as: TimeFormat) { events(after: 0) { seq round { id startTime(format: $as) status } } }',
    variables: { as: 'SPACED' },
  });
  await byVariable.first(all);
  expect(hub().statements()).toBe(2);
});
