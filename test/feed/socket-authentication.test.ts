import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { OWN_FIELDS } from '../../src/resolvers/agents.ts';
import { ask, dataOf } from '../support/asking.ts';
import { type Player, predict, register } from '../support/agents.ts';
import { startService, type TestService } from '../support/service.ts';
import { rawSocket, type RawSettings } from '../support/raw-socket.ts';
import { receive, socketClient } from '../support/socket-client.ts';

let service: TestService;
let own: Player;
let other: Player;
beforeAll(async () => {
  service = await startService();
  own = await register(service, 'own', { mode: 'compete' });
  other = await register(service, 'other', { mode: 'compete' });
  await predict(service, own);
  await service.nextHour();
});
afterAll(() => service.stop());

const WRONG_KEY = {
  code: 4403,
  reason: 'The key of this socket is invalid: send {"authorization":"Bearer pk_live_..."}, or no key',
};

const BOARD =
  'subscription { leaderboardUpdated { rankings { agent { name registeredAt roundsCompeted simPnl7d } } } }';

interface BoardSeen extends Record<string, unknown> {
  readonly leaderboardUpdated: {
    readonly rankings: readonly { readonly agent: { readonly registeredAt: string | null } }[];
  };
}

async function boardSeenWith(key?: string) {
  await using received = receive<BoardSeen>(socketClient(service.url, key === undefined ? {} : { key }), BOARD);
  const [first] = await received.first(1);
  return first?.data?.leaderboardUpdated;
}

test('a WebSocket needs no key', async () => {
  using socket = await rawSocket(service.url);
  expect(socket.items).toEqual([{ type: 'connection_ack' }]);
});

const bearer = ({ key }: Player): string => `Bearer ${key}`;

test.each<[string, (player: Player) => RawSettings]>([
  ['as "authorization"', (player) => ({ init: { authorization: bearer(player) } })],
  ['as "Authorization"', (player) => ({ init: { Authorization: bearer(player) } })],
  ['below "headers"', (player) => ({ init: { headers: { Authorization: bearer(player) } } })],
  ['below "Headers", in capital letters', (player) => ({ init: { Headers: { AUTHORIZATION: bearer(player) } } })],
  ['in the request that opens the socket', (player) => ({ headers: { authorization: bearer(player) } })],
  [
    'in connection_init before that of the request',
    (player) => ({ init: { authorization: bearer(player) }, headers: { authorization: bearer(other) } }),
  ],
])('the key is accepted %s', async (_, settingsFor) => {
  using socket = await rawSocket(service.url, settingsFor(own));
  socket.subscribe('1', '{ me { name } }');
  await socket.until(() => socket.results('1').length > 0);
  expect(socket.items[1]?.payload).toMatchObject({ data: { me: { name: 'own' } } });
});

test.each<[string, RawSettings]>([
  ['null for a key', { init: { authorization: null } }],
  ['no headers', { init: { headers: null } }],
  ['what a proxy asks browsers for', { headers: { authorization: 'Basic YTpi' } }],
])('a client that sends %s has no key, and is accepted', async (_, settings) => {
  using socket = await rawSocket(service.url, settings);
  expect(socket.items).toEqual([{ type: 'connection_ack' }]);
});

test('an invalid key in the upgrade request closes the WebSocket with 4403', async () => {
  using socket = await rawSocket(service.url, { init: null, headers: { authorization: 'Bearer pk_live_wrong' } });
  socket.say({ type: 'connection_init' });
  expect(await socket.end).toEqual(WRONG_KEY);
});

test.each([
  { authorization: 'Bearer pk_live_wrong' },
  { Authorization: 'Bearer pk_live_wrong' },
  { headers: { authorization: 'Bearer pk_live_wrong' } },
  { authorization: `Bearer ${' '.repeat(60_000)}pk_live_wrong` },
  { authorization: '' },
  { authorization: 7 },
])('an invalid key closes the WebSocket with 4403: %j', async (init) => {
  using socket = await rawSocket(service.url, { init: null });
  socket.say({ type: 'connection_init', payload: init });
  expect(await socket.end).toEqual(WRONG_KEY);
});

test('an invalid key has the same result for a client that does not wait for the acknowledgement', async () => {
  using socket = await rawSocket(service.url, { init: null });
  socket.say({ type: 'connection_init', payload: { authorization: 'Bearer pk_live_wrong' } });
  socket.subscribe('1', 'subscription { events { seq } }');
  expect(await socket.end).toEqual(WRONG_KEY);
  expect(socket.items).toEqual([]);
});

test('a client that does not wait for the acknowledgement is served', async () => {
  using socket = await rawSocket(service.url, { init: null });
  socket.say({ type: 'connection_init', payload: { authorization: `Bearer ${other.key}` } });
  socket.subscribe('1', '{ me { name } }');
  await socket.until(() => socket.results('1').length > 0);
  expect(socket.items[1]).toMatchObject({ id: '1', payload: { data: { me: { name: 'other' } } } });
});

test('a refusal without a key explains where a WebSocket sends it', async () => {
  using socket = await rawSocket(service.url);
  socket.subscribe('1', '{ me { name } }');
  await socket.until(() => socket.results('1').length > 0);
  expect(socket.items[1]?.payload.errors).toEqual([
    expect.objectContaining({
      message:
        'This needs a valid API key: connect again with the payload {"authorization": "Bearer pk_live_..."} in connection_init, with the key that registration gave (got no key). POST /api/agents/register with {"name": "..."} gives one, shown once.',
      extensions: { code: 'UNAUTHENTICATED', reason: 'missing_key' },
    }),
  ]);
});

test('own fields of a shared document are visible only to their agent, also concurrently', async () => {
  const [nobodys, owners, others] = await Promise.all([
    boardSeenWith(),
    boardSeenWith(own.key),
    boardSeenWith(other.key),
  ]);
  const hidden = { rankings: [{ agent: { name: 'own', registeredAt: null, roundsCompeted: null, simPnl7d: null } }] };
  expect(nobodys).toEqual(hidden);
  expect(others).toEqual(hidden);
  expect(owners).toEqual({
    rankings: [
      {
        agent: {
          name: 'own',
          registeredAt: expect.stringMatching(/^2026/),
          roundsCompeted: 1,
          simPnl7d: expect.any(Number),
        },
      },
    ],
  });
});

/** What is selected of own fields that have fields themselves. */
const OWN_PARTS = ['standingPredictions { lapsesAt }', 'webhooks { id }'];

test('the list of own fields is complete: no other plain field depends on the caller', async () => {
  const { __type } = await dataOf(
    service,
    '{ __type(name: "Agent") { fields { name args { name } type { kind ofType { kind } } } } }',
  );
  const plain: string[] = __type.fields
    .filter(({ type }: { type: { kind: string; ofType: { kind: string } | null } }) =>
      ['SCALAR', 'ENUM'].includes(type.ofType?.kind ?? type.kind),
    )
    .map(({ name }: { name: string }) => name);
  const query = `query ($id: Int) { agent(id: $id) { ${[...plain, ...OWN_PARTS].join(' ')} } }`;
  const variables = { id: own.id };
  const [known, unknown] = [
    await ask(service, query, { variables, key: own.key }),
    await ask(service, query, { variables }),
  ];
  const shown = (name: string) => [known, unknown].map(({ data }) => JSON.stringify(data.agent[name]));
  const differing = Object.keys(known.data.agent).filter((name) => new Set(shown(name)).size > 1);
  expect(new Set(differing.map((name) => `Agent.${name}`))).toEqual(OWN_FIELDS);
});

test('a replaced key reveals nothing more in an open subscription', async () => {
  await using received = receive<BoardSeen>(socketClient(service.url, { key: own.key }), BOARD);
  await received.first(1);
  await service.request('POST', '/api/me/rotate-key', { key: own.key });
  await service.nextHour();
  const [before, after] = await received.first(2);
  expect(before?.data?.leaderboardUpdated.rankings[0]?.agent.registeredAt).toMatch(/^2026/);
  expect(after?.data?.leaderboardUpdated.rankings[0]?.agent.registeredAt).toBeNull();
});
