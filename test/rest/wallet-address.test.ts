import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { startService, type TestService } from '../support/service.ts';
import { endQuietly } from './quiet-end.ts';
import { expectRefusal } from './refusals.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => endQuietly(service));

function registerWith(name: string, wallet_address: unknown) {
  return service.request('POST', '/api/agents/register', { body: { name, wallet_address } });
}

test.each([
  ['hex', `0x${'aB3'.repeat(13)}f`],
  ['base58 of 32', '1'.repeat(32)],
  ['base58 of 44', 'So11111111111111111111111111111111111111112z'],
])('a wallet address in %s is accepted, stored, and in no answer', async (form, wallet) => {
  const name = `wallet-${form.replaceAll(' ', '-')}`;
  const { status, body } = await registerWith(name, wallet);
  expect(status).toBe(201);
  const [row] = await service.newEm().execute('select wallet_address from agents where name = ?', [name]);
  expect(row).toEqual({ wallet_address: wallet });
  const profiles = [
    body,
    (await service.request('GET', '/api/me', { key: body.api_key })).body,
    (await service.request('GET', `/api/agents/${body.agent.id}`)).body,
  ];
  expect(JSON.stringify(profiles)).not.toMatch(new RegExp(`wallet_|${wallet}`));
});

test.each([
  '',
  `0x${'a'.repeat(39)}`,
  `0x${'a'.repeat(41)}`,
  `0x${'g'.repeat(40)}`,
  `0X${'a'.repeat(40)}`,
  '1'.repeat(31),
  '1'.repeat(45),
  `${'1'.repeat(33)}0`,
  `${'1'.repeat(33)}O`,
  `${'1'.repeat(33)}I`,
  `${'1'.repeat(33)}l`,
  `${'1'.repeat(33)}\u0000`,
  'not a wallet',
])('the wallet address %j is refused', async (wallet) => {
  expectRefusal(await registerWith('wallet-refused', wallet), 400, /wallet_address/);
});

test.each([[1], [true], [[`0x${'a'.repeat(40)}`]], [{}]])('the wallet address %j is no text', async (wallet) => {
  expectRefusal(await registerWith('wallet-refused', wallet), 400, /wallet_address/);
});

test('many agents may have one wallet', async () => {
  const wallet = `0x${'1'.repeat(40)}`;
  expect((await registerWith('shared-wallet-1', wallet)).status).toBe(201);
  expect((await registerWith('shared-wallet-2', wallet)).status).toBe(201);
});
