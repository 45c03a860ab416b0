import { beforeAll, expect, test } from '@jest/globals';

import { type Player, register, registerMany } from '../support/agents.ts';
import { expectRefusal } from '../support/refusals.ts';
import { currentRound } from '../support/rounds.ts';
import { act, look, TOKEN, waitingRound } from './admin.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService(() => ({ adminToken: TOKEN }));
let player: Player;

beforeAll(async () => {
  player = await register(service, 'player');
});

test('stuck rounds have waited longer than the requested time, oldest first', async () => {
  const first = await waitingRound(service, player);
  const second = await waitingRound(service, player);
  const stuck = async (query: string) =>
    (await look(service, `/admin/rounds/stuck${query}`)).body.rounds.map(({ id }: { id: number }) => id);
  expect(await stuck('')).toEqual([first.id, second.id]);
  expect(await stuck('?minutes=30')).toEqual([first.id]);
  expect(await stuck('?minutes=100')).toEqual([]);
  expect((await look(service, '/admin/rounds/stuck')).body.rounds[0]).toEqual({
    id: first.id,
    question: expect.stringMatching(/\?/),
    end_time: expect.stringMatching(/Z$/),
    waiting_minutes: 70,
    total_entries: 1,
    attempts: 2,
    last_tried_at: expect.stringMatching(/Z$/),
    last_problem: 'The source does not have all final candles.',
    try_after: expect.stringMatching(/Z$/),
  });
  for (const query of ['?minutes=-1', '?minutes=x', '?minutes=1&minutes=2', '?minutes=10001']) {
    expectRefusal(
      await look(service, `/admin/rounds/stuck${query}`),
      400,
      /^minutes must be (a whole number|given only once)/,
    );
  }
});

test('the audit is paged without gaps, and the database refuses to change it', async () => {
  const { id: active } = await currentRound(service);
  for (let n = 1; n <= 11; n += 1) await act(service, 'retry', active, `Try ${n}`);
  const all = (await look(service, '/admin/audit?limit=100')).body;
  expect(all.next).toBeNull();
  expect(all.actions.length).toBeGreaterThan(10);
  const paged = [];
  for (let next: number | null = 2_147_483_647; next !== null;) {
    const { body } = await look(service, `/admin/audit?limit=3&before=${next}`);
    paged.push(...body.actions);
    next = body.next;
  }
  expect(paged).toEqual(all.actions);
  const { id } = all.actions[0];
  for (const statement of [
    `update admin_actions set reason = 'better' where id = ${id}`,
    `delete from admin_actions where id = ${id}`,
    'truncate admin_actions',
  ]) {
    await expect(service.newEm().getConnection().execute(statement)).rejects.toThrow('only ever added to');
  }
  expectRefusal(await look(service, '/admin/audit?limit=101'), 400, /^limit must be/);
  expectRefusal(await look(service, '/admin/audit?before=0'), 400, /^before must be/);
});

test('a search lists the agent with the name or id first, then the newest names that begin so', async () => {
  await registerMany(service, 'player', 20);
  const found = async (search: string | number) =>
    (await look(service, `/admin/agents?search=${search}`)).body.agents.map(({ name }: { name: string }) => name);
  const newest = Array.from({ length: 19 }, (_, index) => `player-${20 - index}`);
  expect(await found('PLAYER')).toEqual(['player', ...newest]);
  expect(await found('player-')).toEqual([...newest, 'player-1']);
  await registerMany(service, `${player.id}0`, 20);
  expect((await found(player.id))[0]).toBe('player');
});
