import { expect, test } from '@jest/globals';

import { until } from '../support/poll.ts';
import type { Answer } from '../support/service.ts';
import { type Player, profileOf, register } from '../support/agents.ts';
import { API_KEY, TEXT } from './formats.ts';
import { expectRefusal, statusesOf } from '../support/refusals.ts';
import { sharedService } from '../support/shared.ts';

// Whoever comes first waits for the holder's transaction; those after it wait for the row.
const WAITING_FOR_ROW = `select count(*)::int as waiting from pg_locks
  where locktype = 'tuple' and not granted and database = (select oid from pg_database where datname = current_database())`;

const service = sharedService();

function rotate(key: string) {
  return service.request('POST', '/api/me/rotate-key', { key });
}

test('rotation returns a new key and invalidates the old one at once', async () => {
  const player = await register(service, 'rotating');
  const { status, body } = await rotate(player.key);
  expect(body).toEqual({ success: true, api_key: API_KEY, message: TEXT });
  expect(status).toBe(200);
  expect(body.api_key).not.toBe(player.key);
  expectRefusal(await service.request('GET', '/api/me', { key: player.key }), 401);
  expectRefusal(await rotate(player.key), 401);
  expect((await profileOf(service, { key: body.api_key })).agent.id).toBe(player.id);
});

test('rotation leaves the keys of other agents valid', async () => {
  const other = await register(service, 'other');
  await rotate((await register(service, 'one')).key);
  expect((await profileOf(service, other)).agent.id).toBe(other.id);
});

test('exactly one of many concurrent rotations succeeds, and its key is valid', async () => {
  const player = await register(service, 'racing');
  const answers = await rotateAtOnce(player, 20);
  expect(statusesOf(answers)).toEqual({ 200: 1, 401: 19 });
  const winner = answers.find(({ status }) => status === 200);
  expect((await profileOf(service, { key: winner?.body.api_key })).agent.id).toBe(player.id);
  for (const answer of answers) if (answer !== winner) expectRefusal(answer, 401);
});

/** The test holds the agent's row until several rotations are past the check of the key and want to write. */
async function rotateAtOnce({ id, key }: Player, count: number): Promise<readonly Answer[]> {
  let answers: Promise<readonly Answer[]> | undefined;
  await service.newEm().transactional(async (transaction) => {
    await transaction.execute('select id from agents where id = ? for update', [id]);
    answers = Promise.all(Array.from({ length: count }, () => rotate(key)));
    await until('several rotations that wait for the row', async () => {
      const [{ waiting }] = await transaction.execute<[{ waiting: number }]>(WAITING_FOR_ROW);
      return waiting > 0;
    });
  });
  if (answers === undefined) throw new Error('No rotation was asked for');
  return answers;
}

test('a spectator can rotate its key', async () => {
  const { key } = await register(service, 'spectator', { mode: 'spectate' });
  expect((await rotate(key)).status).toBe(200);
});

test('rotation requires a key', async () => {
  expectRefusal(await service.request('POST', '/api/me/rotate-key'), 401);
});
