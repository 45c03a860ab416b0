import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { startService, type TestService } from '../../support/service.ts';
import { ask, dataOf, registered } from '../../support/asking.ts';
import { idsOf } from './walking.ts';

let service: TestService;

beforeEach(async () => {
  service = await startService();
});

afterEach(() => service.stop());

const LISTS = [
  'agents',
  'agents(mode: spectate)',
  'agents(orderBy: NAME)',
  'agents(orderBy: POINTS)',
  'agents(tier: bronze)',
];

test('an expired spectator is in no list and no lookup', async () => {
  const watcher = await registered(service, 'watcher', 'spectate');
  for (const list of LISTS) expect(await idsOf(service, [list])).toEqual([watcher.id]);
  service.clock.set('2026-01-31T12:09:59.999Z');
  for (const list of LISTS) expect(await idsOf(service, [list])).toEqual([watcher.id]);
  service.clock.set('2026-01-31T12:10:00Z');
  for (const list of LISTS) expect(await idsOf(service, [list])).toEqual([]);
  expect(
    await dataOf(service, `{ byId: agent(id: ${watcher.id}) { id } byName: agent(name: "Watcher") { id } }`),
  ).toEqual({
    byId: null,
    byName: null,
  });
});

test('a name registered again belongs only to the new agent', async () => {
  const former = await registered(service, 'watcher', 'spectate');
  service.clock.set('2026-02-01T00:00:00Z');
  const holder = await registered(service, 'WATCHER');
  expect(await idsOf(service, ['agents'])).toEqual([holder.id]);
  expect(
    await dataOf(service, `{ former: agent(id: ${former.id}) { id } agent(name: "watcher") { id name } }`),
  ).toEqual({
    former: null,
    agent: { id: holder.id, name: 'WATCHER' },
  });
});

test('agents are filtered by ids in each order', async () => {
  const [first, second, third] = [
    await registered(service, 'first'),
    await registered(service, 'second', 'spectate'),
    await registered(service, 'third'),
  ];
  const ids = `ids: [${third.id}, ${first.id}, ${third.id}, 2147483647]`;
  for (const order of ['OLDEST', 'NAME', 'POINTS'])
    expect(await idsOf(service, [`agents(orderBy: ${order}, ${ids})`])).toEqual([first.id, third.id]);
  expect(await idsOf(service, [`agents(mode: spectate, ids: [${first.id}, ${second.id}])`])).toEqual([second.id]);
  expect(await idsOf(service, ['agents(ids: [])'])).toEqual([]);
});

test('agents are filtered by modes and tiers', async () => {
  const watcher = await registered(service, 'watcher', 'spectate');
  const player = await registered(service, 'player');
  expect(await idsOf(service, ['agents(mode: compete)'])).toEqual([player.id]);
  expect(await idsOf(service, ['agents(mode: spectate)'])).toEqual([watcher.id]);
  expect(await idsOf(service, ['agents(tier: [bronze, gold])'])).toEqual([watcher.id, player.id]);
  expect(await idsOf(service, ['agents(tier: [silver, gold, diamond])'])).toEqual([]);
});

test('own-profile fields are null in a list except for the caller', async () => {
  const { id, key } = await registered(service, 'player');
  await registered(service, 'other');
  const query = '{ agents { nodes { id registeredAt roundsCompeted simPnl7d } } }';
  const { agents } = await dataOf(service, query, { key });
  for (const agent of agents.nodes) expect(agent.registeredAt === null).toBe(agent.id !== id);
  expect((await dataOf(service, query)).agents.nodes[0].registeredAt).toBeNull();
});

test('no field has a key, its hash or a wallet', async () => {
  for (const name of ['keyHash', 'walletAddress', 'nameKey', 'reservedUntil']) {
    const { errors } = await ask(service, `{ agents { nodes { ${name} } } }`);
    expect(errors[0]?.message).toContain(`Cannot query field "${name}" on type "Agent"`);
  }
});
