import { createHash, createHmac } from 'node:crypto';

import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { makeLogger } from '../../src/logger.ts';
import { receive, socketClient } from '../support/socket-client.ts';
import { predict, register, type Player } from '../support/agents.ts';
import { playBets } from '../support/outcomes.ts';
import { pathWith, SPEC_ENDPOINTS } from '../support/spec-endpoints.ts';
import { startService, type TestService } from '../support/service.ts';
import { act, look, TOKEN } from './admin.ts';

const PEPPER = 'a-pepper-that-nobody-may-see';
const WALLET = `0x${'dEaD'.repeat(10)}`;
const RETRY_KEY = 'retry-key-of-the-player';

let service: TestService;
let player: Player;
/** Everything that a played run gave to anybody: answers with their headers, events, log lines, errors. */
const given: string[] = [];

beforeAll(async () => {
  service = await startService({ adminToken: TOKEN, keyPepper: PEPPER, logLevel: 'trace' });
  player = await register(service, 'player', { wallet_address: WALLET });
});
afterAll(() => service.stop());

async function send(...request: Parameters<TestService['request']>): Promise<void> {
  const { status, body, headers } = await service.request(...request);
  given.push(JSON.stringify([request[0], status, body, ...headers]));
}

/** Every endpoint with the key, without it and with a broken body; the admin endpoints with the token and without. */
async function askForEverything(): Promise<void> {
  const { key } = player;
  for (const row of SPEC_ENDPOINTS.filter(({ path }) => path !== '/api/me/rotate-key')) {
    await send(row.method, pathWith(row), { key });
    await send(row.method, pathWith(row), { key: `${key}x` });
    if (row.method === 'POST') await send(row.method, pathWith(row), { key, body: '{broken' });
  }
  for (const path of ['/livez', '/readyz', '/metrics', '/', '/api/export/predictions.csv', '/api/export/rounds.csv'])
    await send('GET', path);
  for (const path of [
    '/admin',
    '/admin/rounds/stuck',
    '/admin/audit',
    '/admin/attention',
    '/admin/agents',
    '/admin/rounds',
  ])
    for (const caller of [{ key: TOKEN }, { key }, {}]) await send('GET', path, caller);
  const fields = 'id name mode recentPredictions { round { id } } standing { totalPoints }';
  for (const query of [`{ me { ${fields} } }`, `{ agents { nodes { ${fields} } } }`, '{ me { keyHash } }', '{ broken'])
    await send('POST', '/graphql', { key, body: { query } });
}

function execute(statement: string): Promise<unknown> {
  return service.newEm().getConnection().execute(statement);
}

/** Faults of every kind: the database refuses, is gone, or repeats what it was told. */
async function breakThings(): Promise<void> {
  const { key } = player;
  await execute('alter table agents rename column key_hash to key_hash_gone');
  await send('GET', '/api/me', { key });
  await send('POST', '/api/agents/register', { body: { name: 'unlucky' } });
  await send('POST', '/graphql', { key, body: { query: '{ me { id } }' } });
  await execute('alter table agents rename column key_hash_gone to key_hash');
  await execute(`alter table agents add constraint nobody check (name <> 'nobody-new') not valid`);
  await send('POST', '/api/agents/register', { body: { name: 'nobody-new' } });
}

test('a whole run shows no key, hash, pepper, token, wallet or retry key to others', async () => {
  await using received = receive(
    socketClient(service.url, { key: player.key }),
    'subscription { events(after: 0) { kind payload } }',
  );
  await predict(service, player, { idempotencyKey: RETRY_KEY });
  await act(service, 'void', 1, 'For the test');
  await service.nextHour();
  await playBets(service, [{ player, right: true, confidence: 70 }]);
  await service.nextHour();
  await askForEverything();
  await breakThings();
  await act(service, 'resolve', 2);
  given.push(JSON.stringify((await look(service, '/admin/audit')).body));
  await received.until((results) => results.some(({ data }) => JSON.stringify(data).includes('ROUND_RESOLVED')));
  given.push(JSON.stringify(received.items));
  expect(service.reported.length).toBeGreaterThan(0);
  const log = makeLogger('trace', { write: (line) => void given.push(line) });
  for (const error of service.reported) log.error({ err: error }, 'Something failed');
  given.push(...service.logged);

  const text = given.join('\n');
  const bare = player.key.slice('pk_live_'.length);
  const secrets = {
    key: bare,
    'the start of the key': bare.slice(0, 16),
    'hash with pepper': createHmac('sha256', PEPPER).update(player.key).digest('hex'),
    'hash without': createHash('sha256').update(player.key).digest('hex'),
    pepper: PEPPER,
    token: TOKEN,
    'hash of the token': createHash('sha256').update(TOKEN).digest('hex').slice(0, 16),
    wallet: WALLET.slice(2).toLowerCase(),
    'retry key': RETRY_KEY,
  };
  for (const [name, secret] of Object.entries(secrets)) {
    expect({ name, shown: text.toLowerCase().includes(secret.toLowerCase()) }).toEqual({ name, shown: false });
  }
  // Keys and hashes of agents that the test never saw are as long as the player's.
  expect(/[0-9a-f]{48}/.exec(text)?.[0]).toBeUndefined();
  // The search sees what is there.
  expect(text).toContain('Answered');
  expect(text).toContain('hourcast_http_requests_total');
  expect(text).toContain('Internal server error.');
  const rows = await service.newEm().getConnection().execute<{ key_hash: string }[]>('select key_hash from agents');
  expect(rows.map((row) => row.key_hash)).toContain(secrets['hash with pepper']);
});
