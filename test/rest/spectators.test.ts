import { afterEach, describe, expect, test } from '@jest/globals';

import { type Player, predict, profileOf, register } from '../support/agents.ts';
import { expectRefusal } from '../support/refusals.ts';
import { sharedService } from '../support/shared.ts';

const REGISTERED = '2026-01-01T12:10:00.000Z';
const LAST_INSTANT = '2026-01-31T12:09:59.999Z';
const FREE_AGAIN = '2026-01-31T12:10:00.000Z';

const service = sharedService(() => ({ start: REGISTERED }));

afterEach(() => service.clock.set(REGISTERED));

function spectator(name: string): Promise<Player> {
  return register(service, name, { mode: 'spectate' });
}

function takeName(name: string) {
  return service.request('POST', '/api/agents/register', { body: { name } });
}

describe('spectators', () => {
  test('a spectator cannot predict, and gets the path of activation', async () => {
    expectRefusal(await predict(service, await spectator('watcher')), 403, /activate/);
  });

  test('a spectator reads its own profile and public ones', async () => {
    const { id, key } = await spectator('reader');
    expect((await profileOf(service, { key })).agent).toMatchObject({ id, mode: 'spectate' });
    expect((await service.request('GET', `/api/agents/${id}`)).status).toBe(200);
  });

  test('a spectator keeps its name, key and profile for 30 days', async () => {
    const { id, key } = await spectator('Holder');
    service.clock.set(LAST_INSTANT);
    expectRefusal(await takeName('holder'), 409);
    expect((await service.request('GET', '/api/me', { key })).status).toBe(200);
    expect((await service.request('GET', `/api/agents/${id}`)).status).toBe(200);
  });

  test('a spectator expires after 30 days: its key gets 401 and its profile 404', async () => {
    const { id, key } = await spectator('expired');
    service.clock.set(FREE_AGAIN);
    for (const [method, path] of [
      ['GET', '/api/me'],
      ['POST', '/api/me/activate'],
      ['POST', '/api/me/rotate-key'],
      ['POST', '/api/predictions'],
    ] as const)
      expectRefusal(await service.request(method, path, { key }), 401);
    expectRefusal(await service.request('GET', `/api/agents/${id}`), 404, new RegExp(String(id)));
  });

  test('an expired spectator is not counted among the agents', async () => {
    const total = async () => (await service.request('GET', '/api/stats')).body.total_agents;
    const before = await total();
    await spectator('counted');
    expect(await total()).toBe(before + 1);
    service.clock.set(FREE_AGAIN);
    expect(await total()).toBeLessThanOrEqual(before);
  });

  test('an expired spectator’s name can be registered, and stays with the new agent', async () => {
    const former = await spectator('Wanted');
    service.clock.set(FREE_AGAIN);
    const { status, body } = await takeName('WANTED');
    expect([status, body.agent.name]).toEqual([201, 'WANTED']);
    expect(body.agent.id).not.toBe(former.id);
    expectRefusal(await takeName('wanted'), 409);
    expectRefusal(await service.request('GET', '/api/me', { key: former.key }), 401);
    expect((await service.request('GET', `/api/agents/${body.agent.id}`)).body.agent.name).toBe('WANTED');
  });

  test('an expired spectator can register its name again, as another agent', async () => {
    const former = await spectator('returning');
    service.clock.set(FREE_AGAIN);
    const again = await spectator('returning');
    expect(again.id).not.toBe(former.id);
    expectRefusal(await service.request('GET', '/api/me', { key: former.key }), 401);
    expect((await profileOf(service, again)).agent).toMatchObject({ id: again.id, mode: 'spectate' });
  });

  test('an activated spectator keeps its name', async () => {
    const { id, key } = await spectator('activated');
    await service.request('POST', '/api/me/activate', { key });
    service.clock.set(FREE_AGAIN);
    expectRefusal(await takeName('activated'), 409);
    expect((await profileOf(service, { key })).agent).toMatchObject({ id, mode: 'compete' });
    expect((await service.request('GET', `/api/agents/${id}`)).status).toBe(200);
  });
});

test('a competitor keeps its name', async () => {
  await register(service, 'competitor');
  service.clock.set('2027-01-01T00:00:00Z');
  expectRefusal(await takeName('Competitor'), 409);
});
