import { describe, expect, test } from '@jest/globals';

import { predict, register } from '../support/agents.ts';
import { expectRefusal, statusesOf } from '../support/refusals.ts';
import { currentRound } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService(() => ({ start: '2026-01-01T12:10:00Z' }));

const replayed = 'idempotent-replayed';

describe('an Idempotency-Key', () => {
  test('with the same body gives the first answer again', async () => {
    const player = await register(service, 'retrying');
    const first = await predict(service, player, { idempotencyKey: 'a' });
    service.clock.set('2026-01-01T12:11:00Z');
    const again = await predict(service, player, { idempotencyKey: 'a' });
    expect([first.status, first.headers.get(replayed)]).toEqual([201, null]);
    expect([again.status, again.headers.get(replayed)]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
  });

  test('is met although the body has its fields in another order, and unknown ones', async () => {
    const player = await register(service, 'reordering');
    const { id, choices } = await currentRound(service);
    const send = (body: unknown) =>
      service.request('POST', '/api/predictions', { key: player.key, body, headers: { 'Idempotency-Key': 'r' } });
    const first = await send({ round_id: id, prediction: choices[0], confidence: 5 });
    const again = await send({ note: 1, confidence: 5, prediction: choices[0], round_id: id });
    expect([again.status, again.body]).toEqual([201, first.body]);
  });

  test('with another body is 409', async () => {
    const player = await register(service, 'changing');
    const { choices } = await currentRound(service);
    await predict(service, player, { idempotencyKey: 'a', prediction: choices[0], confidence: 60 });
    expectRefusal(await predict(service, player, { idempotencyKey: 'a', confidence: 61 }), 409, /Idempotency-Key/);
    expectRefusal(await predict(service, player, { idempotencyKey: 'a', prediction: choices[1] }), 409);
  });

  test('is compared letter for letter, and each agent has its own', async () => {
    const [one, two] = [await register(service, 'own-keys-1'), await register(service, 'own-keys-2')];
    expect((await predict(service, one, { idempotencyKey: 'Key' })).headers.get(replayed)).toBeNull();
    expect((await predict(service, two, { idempotencyKey: 'Key' })).headers.get(replayed)).toBeNull();
    expectRefusal(await predict(service, one, { idempotencyKey: 'key' }), 409, /already/);
  });

  test('does not make up for a first prediction without one', async () => {
    const player = await register(service, 'plain-first');
    await predict(service, player);
    expectRefusal(await predict(service, player, { idempotencyKey: 'late' }), 409, /already/);
  });

  test('leaves a plain second prediction at 409', async () => {
    const player = await register(service, 'plain-second');
    await predict(service, player, { idempotencyKey: 'a' });
    expectRefusal(await predict(service, player), 409, /already/);
  });

  test('of a refused request is free', async () => {
    const player = await register(service, 'refused-first');
    expectRefusal(await predict(service, player, { idempotencyKey: 'a', prediction: 'MAYBE' }), 400);
    const { status, headers } = await predict(service, player, { idempotencyKey: 'a' });
    expect([status, headers.get(replayed)]).toEqual([201, null]);
  });

  test('with spaces and quotes is accepted', async () => {
    const player = await register(service, 'odd-key');
    const idempotencyKey = 'with spaces and "quotes"';
    expect((await predict(service, player, { idempotencyKey })).status).toBe(201);
    expect((await predict(service, player, { idempotencyKey })).headers.get(replayed)).toBe('true');
  });

  test('of 129 characters is refused', async () => {
    const player = await register(service, 'long-key');
    expectRefusal(await predict(service, player, { idempotencyKey: 'x'.repeat(129) }), 400, /Idempotency-Key/);
  });

  test('sent many times at once gives one prediction, and the same answer to all', async () => {
    const player = await register(service, 'at-once');
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => predict(service, player, { idempotencyKey: 'once' })),
    );
    expect(statusesOf(answers)).toEqual({ 201: 30 });
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get(replayed) === null)).toHaveLength(1);
  });

  test('sent at once with many bodies gives one 201, and 409 to the others', async () => {
    const player = await register(service, 'many-bodies');
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, confidence) => predict(service, player, { idempotencyKey: 'once', confidence })),
    );
    expect(statusesOf(answers)).toEqual({ 201: 1, 409: 29 });
  });
});

test('a key is remembered for 24 hours, over the end of its round, and then free', async () => {
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
