import { expect, test } from '@jest/globals';

import { expectRefusal } from '../support/refusals.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService();

function registerWith(name: string, wallet_address: unknown) {
  return service.request('POST', '/api/agents/register', { body: { name, wallet_address } });
}

test('a wallet address is accepted, stored, and in no answer', async () => {
  const wallet = 'So11111111111111111111111111111111111111112z';
  const { status, body } = await registerWith('with-wallet', wallet);
  expect(status).toBe(201);
  const [row] = await service.newEm().execute(`select wallet_address from agents where name = 'with-wallet'`);
  expect(row).toEqual({ wallet_address: wallet });
  const profiles = [
    body,
    (await service.request('GET', '/api/me', { key: body.api_key })).body,
    (await service.request('GET', `/api/agents/${body.agent.id}`)).body,
  ];
  expect(JSON.stringify(profiles)).not.toMatch(new RegExp(`wallet_|${wallet}`));
});

test('a malformed wallet address is refused', async () => {
  expectRefusal(await registerWith('wallet-refused', `0x${'a'.repeat(39)}`), 400, /wallet_address/);
});

test.each([[1], [true], [[`0x${'a'.repeat(40)}`]], [{}]])(
  'the wallet address %j is refused because it is no text',
  async (wallet) => {
    expectRefusal(await registerWith('wallet-refused', wallet), 400, /wallet_address/);
  },
);

test('many agents may have the same wallet', async () => {
  const wallet = `0x${'1'.repeat(40)}`;
  expect((await registerWith('shared-wallet-1', wallet)).status).toBe(201);
  expect((await registerWith('shared-wallet-2', wallet)).status).toBe(201);
});
