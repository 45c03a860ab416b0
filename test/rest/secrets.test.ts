import { createHash } from 'node:crypto';

import { expect, test } from '@jest/globals';

import { predict, register } from '../support/agents.ts';
import { playBets } from '../support/outcomes.ts';
import { pathWith, SPEC_ENDPOINTS } from '../support/spec-endpoints.ts';
import { sharedService } from '../support/shared.ts';

const WALLET = `0x${'dEaD'.repeat(10)}`;

const service = sharedService();

test('no answer of any endpoint has a hash, a key, a wallet or an internal field', async () => {
  const player = await register(service, 'player', { wallet_address: WALLET });
  await playBets(service, [{ player, right: true, confidence: 70 }]);
  await service.nextHour();
  const answers = [];
  for (const row of SPEC_ENDPOINTS.filter(({ path }) => path !== '/api/me/rotate-key'))
    for (const options of [{ key: player.key }, {}, { key: player.key, body: { name: 'player' } }]) {
      const { body, headers } = await service.request(
        row.method,
        pathWith(row),
        row.method === 'GET' ? { key: player.key } : options,
      );
      answers.push(JSON.stringify([body, ...headers]));
    }
  answers.push(JSON.stringify((await predict(service, player, { idempotencyKey: 'secret-retry-key' })).body));
  answers.push(JSON.stringify((await service.request('GET', `/api/agents/${player.id}`)).body));

  const key = player.key.slice('pk_live_'.length);
  const secrets = [key, createHash('sha256').update(player.key).digest('hex'), WALLET, WALLET.toLowerCase()];
  const fields = [
    'key_hash',
    'keyHash',
    'hash',
    'salt',
    'wallet',
    'reserved',
    'name_key',
    'nameKey',
    'secret-retry-key',
  ];
  const text = answers.join('\n');
  for (const secret of [...secrets, ...fields]) expect(text.includes(secret)).toBe(false);
});

test('only registration and rotation return a key', async () => {
  const { body } = await service.request('POST', '/api/agents/register', { body: { name: 'keyed' } });
  const rotated = await service.request('POST', '/api/me/rotate-key', { key: body.api_key });
  for (const row of SPEC_ENDPOINTS.filter(({ method }) => method === 'GET')) {
    const answer = await service.request('GET', pathWith(row), { key: rotated.body.api_key });
    expect(JSON.stringify(answer.body)).not.toMatch(/pk_live_[0-9a-f]/);
  }
});
