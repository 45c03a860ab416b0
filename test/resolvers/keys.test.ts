import { expect, test } from '@jest/globals';

import { noLimiter } from '../../src/backplane/local.ts';
import { batcher } from '../../src/batching.ts';
import { agentOfKey, type KeyHolder, openKnownKeys } from '../../src/resolvers/keys.ts';
import { manualClock } from '../support/manual-clock.ts';

const HASHED = 'the hash of a key';
const HOLDER: KeyHolder = {
  id: 7,
  name: 'player',
  nameKey: 'player',
  mode: 'compete',
  registeredAt: new Date('2026-01-01T00:00:00Z'),
  reservedUntil: null,
  blockReason: null,
};

/** A lookup of the key that answers once `found` does. */
function lookedUp(found: Promise<KeyHolder | null>) {
  const knownKeys = openKnownKeys();
  const keys = batcher<string, KeyHolder | null>({ inFlight: 1, max: 1, run: async () => [await found] });
  const services = { knownKeys, keys, clock: manualClock('2026-01-01T01:00:00Z'), limiter: noLimiter };
  const context = { services, caller: { ip: '192.0.2.1' }, allowance: null };
  return { knownKeys, agent: () => agentOfKey(context, HASHED) };
}

test('a key that is found belongs to its agent, and one that is not to nobody', async () => {
  for (const found of [HOLDER, null]) {
    const { knownKeys, agent } = lookedUp(Promise.resolve(found));
    expect(await agent()).toBe(found);
    expect([knownKeys.agentOf(HASHED), knownKeys.isInvalid(HASHED)]).toEqual([found?.id, found === null]);
  }
});

test('a key that is replaced during its lookup stays nobody’s', async () => {
  const found = Promise.withResolvers<KeyHolder | null>();
  const { knownKeys, agent } = lookedUp(found.promise);
  knownKeys.note(HASHED, HOLDER.id);
  const looking = agent();
  knownKeys.note(HASHED, null);
  found.resolve(HOLDER);
  expect(await looking).toBe(HOLDER);
  expect(knownKeys.isInvalid(HASHED)).toBe(true);
});
