import { once } from 'node:events';

import { afterEach, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';

import { LIMITS } from '../../src/limits.ts';
import { socketUrl } from '../support/socket-client.ts';
import { startService, type ServiceSettings, type TestService } from '../support/service.ts';

interface Transport {
  readonly transport: string;
  /** How often one address is let in. */
  readonly most: number;
  /** Whether somebody with these headers is let in once more. */
  readonly ask: (headers: Record<string, string>, turn: number) => Promise<boolean>;
}

const REGISTRATIONS = 3;
const CONNECTIONS = 3;
/** Ten fields out of a budget of 120. */
const TEN_FIELDS = `{ ${Array.from({ length: 10 }, (_, n) => `f${n}: market { source }`).join(' ')} }`;
const OPERATIONS = 12;

let service: TestService;
const open: (() => void)[] = [];

afterEach(async () => {
  for (const close of open.splice(0)) close();
  await service.stop();
});

const TRANSPORTS: readonly Transport[] = [
  {
    transport: 'REST',
    most: REGISTRATIONS,
    async ask(headers, turn) {
      const body = { name: `forger-${turn}` };
      return (await service.request('POST', '/api/agents/register', { body, headers })).status === 201;
    },
  },
  {
    transport: 'GraphQL',
    most: OPERATIONS,
    async ask(headers) {
      const { body } = await service.request('POST', '/graphql', { body: { query: TEN_FIELDS }, headers });
      return body.errors === undefined;
    },
  },
  {
    transport: 'WebSocket and server-sent events, which share a budget,',
    most: CONNECTIONS,
    ask: (headers, turn) => (turn % 2 === 0 ? opensSocket(headers) : opensStream(headers)),
  },
];

async function opensSocket(headers: Record<string, string>): Promise<boolean> {
  const socket = new WebSocket(socketUrl(service.url), 'graphql-transport-ws', { headers });
  open.push(() => socket.terminate());
  const refused = once(socket, 'close').then(() => false);
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init' }));
  return Promise.race([once(socket, 'message').then(() => true), refused]);
}

async function opensStream(headers: Record<string, string>): Promise<boolean> {
  const cut = new AbortController();
  open.push(() => cut.abort());
  const { status } = await fetch(`${service.url}/api/events`, { headers, signal: cut.signal });
  return status === 200;
}

function forged(address: string): Record<string, string> {
  return { 'x-forwarded-for': address, 'x-real-ip': address, forwarded: `for=${address}` };
}

/** Transports whose count of those who are let in, each with another address in front, is not what it should be. */
async function surprises(
  trustProxy: ServiceSettings['trustProxy'],
  expected: 'one address' | 'all apart',
  claimed: (address: string) => string = (address) => address,
) {
  service = await startService({
    rateLimits: true,
    connectionsPerAddress: CONNECTIONS,
    ...(trustProxy === undefined ? {} : { trustProxy }),
  });
  const found = [];
  for (const { transport, most, ask } of TRANSPORTS) {
    const tries = most + 2;
    let letIn = 0;
    for (let turn = 0; turn < tries; turn += 1) if (await ask(forged(claimed(`10.0.0.${turn}`)), turn)) letIn += 1;
    const due = expected === 'one address' ? most : tries;
    if (letIn !== due) found.push({ transport, letIn, due });
  }
  return found;
}

test('a forged address bypasses no limit over any transport without a trusted proxy', async () => {
  expect(await surprises(undefined, 'one address')).toEqual([]);
});

test('one trusted hop’s address alone counts, whatever callers add', async () => {
  expect(await surprises(1, 'one address', (address) => `${address}, 192.0.2.7`)).toEqual([]);
});

test('a trusted proxy on this machine separates its clients', async () => {
  expect(await surprises('loopback', 'all apart')).toEqual([]);
});

test('a header of a proxy outside the list is ignored', async () => {
  expect(await surprises('192.0.2.0/24', 'one address')).toEqual([]);
});

test('true` trusts any header, for services that only a proxy can reac', async () => {
  expect(await surprises(true, 'all apart')).toEqual([]);
});

test('the addresses of one IPv6 network share a limit over every transport', async () => {
  expect(await surprises(true, 'one address', (address) => `2001:db8::${address.split('.').at(-1)}`)).toEqual([]);
});

test('the connections of one address share a limit where the proxy forwards their ports', async () => {
  expect(await surprises(true, 'one address', (address) => `192.0.2.7:4000${address.split('.').at(-1)}`)).toEqual([]);
});

test('an IPv4 address equals its IPv6-mapped form', async () => {
  const forms = ['10.0.0.9', '::ffff:10.0.0.9', '::ffff:a00:9'];
  const formOf = (address: string): string => forms[Number(address.split('.').at(-1)) % forms.length] ?? '';
  expect(await surprises(true, 'one address', formOf)).toEqual([]);
});

test('wrong operator tokens count by IPv6 network too', async () => {
  service = await startService({ rateLimits: true, trustProxy: true, adminToken: 'a-token-of-operators' });
  const left = [];
  for (const host of [1, 2]) {
    for (let turn = 0; turn < LIMITS.admin.requests / 2; turn += 1) {
      await service.request('GET', '/admin/audit', { headers: forged(`2001:db8::${host}`) });
    }
    const { status } = await service.request('GET', '/admin/audit', { headers: forged('2001:db8::3') });
    left.push(status);
  }
  expect(left).toEqual([401, 429]);
});
