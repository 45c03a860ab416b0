import { createHash, createHmac } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { startService, type TestService } from '../support/service.ts';
import { profileOf, register } from '../support/agents.ts';
import { endQuietly } from '../support/quiet-end.ts';

describe.each([
  ['without a pepper the SHA-256', undefined, (key: string) => createHash('sha256').update(key).digest('hex')],
  ['with a pepper the HMAC', 'a pepper', (key: string) => createHmac('sha256', 'a pepper').update(key).digest('hex')],
])('%s of a key is stored', (_, keyPepper, hashOf) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService(keyPepper === undefined ? {} : { keyPepper });
  });

  afterAll(() => endQuietly(service));

  const hashes = async () => service.newEm().execute('select key_hash from agents order by id');

  test('registration stores the hash of the key', async () => {
    const player = await register(service, 'registered');
    expect(await hashes()).toEqual([{ key_hash: hashOf(player.key) }]);
    expect((await profileOf(service, player)).agent.id).toBe(player.id);
  });

  test('rotation stores the hash of the new key', async () => {
    const player = await register(service, 'rotated');
    const { body } = await service.request('POST', '/api/me/rotate-key', { key: player.key });
    expect((await hashes()).at(-1)).toEqual({ key_hash: hashOf(body.api_key) });
    expect((await profileOf(service, { key: body.api_key })).agent.id).toBe(player.id);
  });

  test('no column of an agent has the key itself', async () => {
    const player = await register(service, 'searched');
    const rows = await service.newEm().execute('select * from agents');
    expect(JSON.stringify(rows)).not.toContain(player.key.slice('pk_live_'.length));
  });
});
