import { describe, expect, test } from '@jest/globals';

import { predict, register } from '../support/agents.ts';
import { expectRefusal, statusesOf } from '../support/refusals.ts';
import { currentRound } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService(() => ({ start: '2026-01-01T12:10:00Z' }));

const replayed = 'idempotent-replayed';

describe('Idempotency-Key', () => {
  test('an Idempotency-Key with the same body returns the first answer again', async () => {
    const player = await register(service, 'retrying');
    const first = await predict(service, player, { idempotencyKey: 'a' });
    service.clock.set('2026-01-01T12:11:00Z');
    const again = await predict(service, player, { idempotencyKey: 'a' });
    expect([first.status, first.headers.get(replayed)]).toEqual([201, null]);
    expect([again.status, again.headers.get(replayed)]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
  });

  test('an Idempotency-Key matches a body with reordered and unknown fields', async () => {
    const player = await register(service, 'reordering');
    const { id, choices } = await currentRound(service);
    const send = (body: unknown) =>
      service.request('POST', '/api/predictions', { key: player.key, body, headers: { 'Idempotency-Key': 'r' } });
    const first = await send({ round_id: id, prediction: choices[0], confidence: 5 });
    const again = await send({ note: 1, confidence: 5, prediction: choices[0], round_id: id });
    expect([again.status, again.body]).toEqual([201, first.body]);
  });

  test('an Idempotency-Key with another body gets 409', async () => {
    const player = await register(service, 'changing');
    const { choices } = await currentRound(service);
    await predict(service, player, { idempotencyKey: 'a', prediction: choices[0], confidence: 60 });
    expectRefusal(await predict(service, player, { idempotencyKey: 'a', confidence: 61 }), 409, /Idempotency-Key/);
    expectRefusal(await predict(service, player, { idempotencyKey: 'a', prediction: choices[1] }), 409);
  });

  test('an Idempotency-Key is case-sensitive and belongs to one agent', async () => {
    const [one, two] = [await register(service, 'own-keys-1'), await register(service, 'own-keys-2')];
    expect((await predict(service, one, { idempotencyKey: 'Key' })).headers.get(replayed)).toBeNull();
    expect((await predict(service, two, { idempotencyKey: 'Key' })).headers.get(replayed)).toBeNull();
    expectRefusal(await predict(service, one, { idempotencyKey: 'key' }), 409, /already/);
  });

  test('a key does not repeat a first prediction that had none', async () => {
    const player = await register(service, 'plain-first');
    await predict(service, player);
    expectRefusal(await predict(service, player, { idempotencyKey: 'late' }), 409, /already/);
  });

  test('a second prediction without the first one’s key gets 409', async () => {
    const player = await register(service, 'plain-second');
    await predict(service, player, { idempotencyKey: 'a' });
    expectRefusal(await predict(service, player), 409, /already/);
  });

  test('the key of a refused request can be used again', async () => {
    const player = await register(service, 'refused-first');
    expectRefusal(await predict(service, player, { idempotencyKey: 'a', prediction: 'MAYBE' }), 400);
    const { status, headers } = await predict(service, player, { idempotencyKey: 'a' });
    expect([status, headers.get(replayed)]).toEqual([201, null]);
  });

  test('a key with spaces and quotes is accepted', async () => {
    const player = await register(service, 'odd-key');
    const idempotencyKey = 'with spaces and "quotes"';
    expect((await predict(service, player, { idempotencyKey })).status).toBe(201);
    expect((await predict(service, player, { idempotencyKey })).headers.get(replayed)).toBe('true');
  });

  test('a key of 129 characters is refused', async () => {
    const player = await register(service, 'long-key');
    expectRefusal(await predict(service, player, { idempotencyKey: 'x'.repeat(129) }), 400, /Idempotency-Key/);
  });

  test('concurrent requests with one key and body make one prediction and get the same answer', async () => {
    const player = await register(service, 'at-once');
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => predict(service, player, { idempotencyKey: 'once' })),
    );
    expect(statusesOf(answers)).toEqual({ 201: 30 });
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get(replayed) === null)).toHaveLength(1);
  });

  test('concurrent requests with one key and different bodies get one 201, and 409', async () => {
    const player = await register(service, 'many-bodies');
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, confidence) => predict(service, player, { idempotencyKey: 'once', confidence })),
    );
    expect(statusesOf(answers)).toEqual({ 201: 1, 409: 29 });
  });
});

test('a key expires after 24 hours, not at the end of its round', async () => {
  const player = await register(service, 'remembered');
  service.clock.set('2026-01-05T12:10:00.000Z');
  await service.turn();
  const { id, choices } = await currentRound(service);
  const body = { round_id: id, prediction: choices[0], idempotencyKey: 'day' };
  const first = await predict(service, player, body);
  expect([first.status, first.headers.get(replayed)]).toEqual([201, null]);

  service.clock.set('2026-01-06T12:09:59.999Z');
  await service.turn();
  const again = await predict(service, player, body);
  expect([again.status, again.headers.get(replayed), again.body]).toEqual([201, 'true', first.body]);
  expectRefusal(await predict(service, player, { idempotencyKey: 'day' }), 409, /Idempotency-Key/);

  service.clock.set('2026-01-06T12:10:00.000Z');
  const free = await predict(service, player, { idempotencyKey: 'day' });
  expect([free.status, free.headers.get(replayed)]).toEqual([201, null]);
});
