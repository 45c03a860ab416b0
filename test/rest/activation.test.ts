import { expect, test } from '@jest/globals';

import { predict, profileOf, register } from '../support/agents.ts';
import { INTEGER, TEXT } from './formats.ts';
import { expectRefusal } from '../support/refusals.ts';
import { currentRound } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService(() => ({ start: '2026-01-01T12:10:00Z' }));

function activate(key: string) {
  return service.request('POST', '/api/me/activate', { key });
}

test('activation makes a spectator a competitor, who can predict at once', async () => {
  const player = await register(service, 'spectator', { mode: 'spectate' });
  const { status, body } = await activate(player.key);
  expect(body).toEqual({
    success: true,
    message: TEXT,
    mode: 'compete',
    next_round: {
      id: INTEGER,
      ends_at: '2026-01-01 14:00:00',
      starts_at: '2026-01-01T13:00:00.000Z',
      ends_at_iso: '2026-01-01T14:00:00.000Z',
    },
  });
  expect(status).toBe(200);
  expect((await profileOf(service, player)).agent.mode).toBe('compete');
  expect((await predict(service, player)).status).toBe(201);
});

test('activation of a competitor returns 200 and changes nothing', async () => {
  const player = await register(service, 'competitor');
  const before = await profileOf(service, player);
  const { status, body } = await activate(player.key);
  expect([status, body.success, body.mode]).toEqual([200, true, 'compete']);
  expect(await profileOf(service, player)).toEqual(before);
});

test('activation returns the first round that starts after now', async () => {
  const { key } = await register(service, 'look-ahead');
  const { body } = await activate(key);
  await service.nextHour();
  const round = await currentRound(service);
  expect(body.next_round).toMatchObject({ id: round.id, ends_at: round.end_time });
});

test('activation on the hour returns the round after the one that starts', async () => {
  const { key } = await register(service, 'on-the-hour');
  service.clock.set('2026-01-01T15:00:00Z');
  expect((await activate(key)).body.next_round.ends_at).toBe('2026-01-01 17:00:00');
});

test('activation ignores a request body', async () => {
  const { key } = await register(service, 'with-body');
  const { status } = await service.request('POST', '/api/me/activate', { key, body: '{broken' });
  expect(status).toBe(200);
});

test('activation requires a key', async () => {
  expectRefusal(await service.request('POST', '/api/me/activate'), 401);
});
