import { beforeAll, describe, expect, test } from '@jest/globals';

import { predict, register, type Player } from '../support/agents.ts';
import { playBets } from '../support/outcomes.ts';
import { expectRefusal } from '../support/refusals.ts';
import { sharedService } from '../support/shared.ts';
import { act, eventsAfter, lastSeq, newestAction, TOKEN } from './admin.ts';

const ACTOR = expect.stringMatching(/^token [0-9a-f]{6} at 127\.0\.0\.1$/);
const WALLET = `0x${'dEaD'.repeat(10)}`;

const service = sharedService(() => ({ adminToken: TOKEN, logLevel: 'info', webhooks: 'any' }));
let player: Player;
let known = 0;

beforeAll(async () => {
  await service.nextHour();
});

async function newPlayer(fields = {}): Promise<Player> {
  known += 1;
  return register(service, `player-${known}`, fields);
}

async function nameOf(id: number) {
  return (await service.request('GET', `/api/agents/${id}`)).body.agent.name;
}

async function statusWith(key: string) {
  return (await service.request('GET', '/api/me', { key })).status;
}

/** How much of what an agent has set is there: webhooks, standing rows, and their end. */
async function left({ id }: Player) {
  const em = service.newEm().getConnection();
  const tables = ['webhooks', 'standing_rows', 'standing_agents'];
  const found = tables.map((table) => em.execute<object[]>(`select from ${table} where agent_id = ?`, [id]));
  return (await Promise.all(found)).map((rows) => rows.length);
}

describe('rekey', () => {
  test('rekey returns a new key, which is not cached, and invalidates the old one', async () => {
    player = await newPlayer();
    const { status, body } = await act(service, 'rekey', player.id, 'Its key leaked');
    expect([status, body]).toEqual([
      200,
      {
        agent_id: player.id,
        name: player.name,
        api_key: expect.stringMatching(/^pk_live_[0-9a-f]{48}$/),
        webhooks: [],
        standing: [],
        effect: `Agent ${player.id} gets a new key, shown only here; the old one is refused from now on.`,
      },
    ]);
    expect([await statusWith(player.key), await statusWith(body.api_key)]).toEqual([401, 200]);
    expect(await newestAction(service)).toEqual({
      id: expect.any(Number),
      at: expect.any(String),
      actor: ACTOR,
      action: 'rekey',
      round_id: null,
      agent_id: player.id,
      reason: 'Its key leaked',
      result: {},
    });
    expect(service.logged.join('')).not.toContain(body.api_key);
  });
});

describe('rekey of an agent with webhooks and standing predictions', () => {
  const URL_OF_HOOK = 'https://stranger.example/hook';

  async function withBoth(): Promise<Player> {
    player = await newPlayer();
    const rows = [{ question_type: 'direction', prediction: 'YES', confidence: 60 }];
    const { key } = player;
    expect((await service.request('PUT', '/api/me/standing', { key, body: { rows } })).status).toBe(200);
    const body = { url: URL_OF_HOOK, kinds: ['round.opened'] };
    expect((await service.request('POST', '/api/me/webhooks', { key, body })).status).toBe(201);
    return player;
  }

  test('rekey lists webhooks and standing predictions, and keeps them', async () => {
    const { id } = await withBoth();
    const { body } = await act(service, 'rekey', id, 'Its key leaked');
    expect(body.webhooks).toEqual([{ id: expect.any(Number), url: URL_OF_HOOK, state: 'active' }]);
    expect(body.standing).toEqual([{ question_type: 'direction', asset: null, prediction: ['YES'], confidence: 60 }]);
    expect(body.effect).toMatch(/ It keeps 1 webhook \(https:\/\/stranger\.example\/hook\) and 1 standing answer;/);
    expect(await left(player)).toEqual([1, 1, 1]);
    expect((await newestAction(service)).result).toEqual({});
  });

  test('rekey with `end` deletes webhooks and standing predictions, a dry run deletes nothing', async () => {
    const { id } = await withBoth();
    const dry = await act(service, 'rekey', id, 'Perhaps', { end: true, dry_run: true });
    expect(await left(player)).toEqual([1, 1, 1]);
    const { body } = await act(service, 'rekey', id, 'Its key leaked', { end: 'true' });
    expect(body.effect).toBe(dry.body.effect);
    expect(body.effect).toMatch(/ 1 webhook \(.*\) and 1 standing answer end\.$/);
    expect(body.webhooks).toHaveLength(1);
    expect(await left(player)).toEqual([0, 0, 0]);
    expect((await newestAction(service)).result).toEqual({ ended_webhooks: 1, ended_standing: 1 });
    expectRefusal(await act(service, 'rekey', id, 'Odd', { end: 'perhaps' }), 400, /^end must be true or false/);
  });
});

describe('rename', () => {
  test('rename gives another name, and reserves the old one for the agent', async () => {
    player = await newPlayer();
    const answer = await act(service, 'rename', player.id, 'A slur', { name: 'Better' });
    expect(answer).toMatchObject({ status: 200, body: { name: 'Better', former_name: player.name } });
    expect(await nameOf(player.id)).toBe('Better');
    for (const name of [player.name.toUpperCase(), 'better'])
      expectRefusal(await service.request('POST', '/api/agents/register', { body: { name } }), 409, /is taken/);
    const other = await newPlayer();
    expectRefusal(await act(service, 'rename', other.id, 'Fun', { name: player.name }), 409, /reserved for one/);
    expect(await newestAction(service)).toMatchObject({ agent_id: other.id, result: { refused: expect.any(String) } });
    expect((await act(service, 'rename', player.id, 'A mistake', { name: player.name })).status).toBe(200);
    expect(await nameOf(player.id)).toBe(player.name);
  });

  test('rename refuses a reserved name, and a holder of one keeps it', async () => {
    player = await newPlayer();
    const refusal = /^name must be none of admin, .* \(got "Ad-min_"\)\.$/;
    expectRefusal(await act(service, 'rename', player.id, 'Odd', { name: 'Ad-min_' }), 400, refusal);
    const holder = ['admin', 'admin', player.id];
    await service.newEm().getConnection().execute('update agents set name = ?, name_key = ? where id = ?', holder);
    const { status, body } = await service.request('PATCH', '/api/me', { key: player.key, body: { about: 'Mine' } });
    expect([status, body.agent.name, body.agent.about]).toEqual([200, 'admin', 'Mine']);
    const renewed = await service.request('POST', '/api/me/rotate-key', { key: player.key });
    expect([renewed.status, await nameOf(player.id)]).toEqual([200, 'admin']);
  });

  test('rename changes decided rounds that are already cached', async () => {
    player = await newPlayer();
    const { id } = await playBets(service, [{ player, right: true, confidence: 70 }]);
    await service.nextHour();
    const names = async () => {
      const { body } = await service.request('GET', `/api/rounds/${id}/results`);
      return body.predictions.map((one: { agent_name: string }) => one.agent_name);
    };
    expect(await names()).toEqual([player.name]);
    expect(await names()).toEqual([player.name]);
    await act(service, 'rename', player.id, 'A slur', { name: 'Kinder' });
    expect(await names()).toEqual(['Kinder']);
  });

  test('rename without a name gives a neutral one', async () => {
    player = await newPlayer();
    expect((await act(service, 'rename', player.id)).body.name).toBe(`agent-${player.id}`);
    expectRefusal(await act(service, 'rename', player.id, 'Odd', { name: 'a b' }), 400, /^name must be 3 to 50/);
    expectRefusal(await act(service, 'rename', player.id, 'Odd', { name: 5 }), 400, /^name must be a text/);
  });

  test('rename of capitals reserves nothing', async () => {
    player = await newPlayer();
    await act(service, 'rename', player.id, 'Capitals', { name: player.name.toUpperCase() });
    expect(await nameOf(player.id)).toBe(player.name.toUpperCase());
    const reserved = 'select name_key from reserved_names where agent_id = ?';
    expect(await service.newEm().getConnection().execute(reserved, [player.id])).toEqual([]);
  });

  test('rename and a concurrent registration never both get the old name', async () => {
    for (let turn = 1; turn <= 5; turn += 1) {
      player = await newPlayer();
      const [, taken] = await Promise.all([
        act(service, 'rename', player.id, 'A race', { name: `raced-${turn}` }),
        service.request('POST', '/api/agents/register', { body: { name: player.name } }),
      ]);
      expect(taken.status).toBe(409);
    }
  });
});

describe('block', () => {
  test('block refuses an agent’s changes with the reason, allows reading, and ends', async () => {
    player = await newPlayer();
    expect((await act(service, 'block', player.id, 'It floods us')).body).toMatchObject({ blocked: true });
    const sentence = /^The operator has blocked this agent, which may only read: It floods us\.$/;
    const refusal = await predict(service, player);
    expectRefusal(refusal, 403, sentence);
    expect(refusal.body.code).toBe('agent_blocked');
    expectRefusal(await predict(service, player, { dry_run: true }), 403, sentence);
    for (const path of ['/api/me/activate', '/api/me/rotate-key'])
      expectRefusal(await service.request('POST', path, { key: player.key }), 403, sentence);
    expect(await statusWith(player.key)).toBe(200);
    expect((await service.request('GET', '/api/me/predictions', { key: player.key })).status).toBe(200);
    expectRefusal(await act(service, 'block', player.id), 409, /is already blocked/);
    expect((await act(service, 'unblock', player.id, 'It is sorry')).body).toMatchObject({ blocked: false });
    expectRefusal(await act(service, 'unblock', player.id), 409, /is not blocked/);
    expect((await predict(service, player)).status).toBe(201);
  });
});

describe('remove', () => {
  test('remove deletes names, wallet address and key, and keeps the record under another name', async () => {
    player = await newPlayer({ wallet_address: WALLET });
    await playBets(service, [{ player, right: true, confidence: 80 }]);
    await service.nextHour();
    const { agent: before } = (await service.request('GET', '/api/me', { key: player.key })).body;
    await act(service, 'rename', player.id, 'Asked for', { name: 'Real-Person' });
    const { body } = await act(service, 'remove', player.id, 'Asked for');
    expect(body).toMatchObject({ name: `removed-${player.id}`, removed: true });
    expect(await statusWith(player.key)).toBe(401);
    const { agent } = (await service.request('GET', `/api/agents/${player.id}`)).body;
    expect(agent).toMatchObject({ name: `removed-${player.id}`, total_points: before.total_points });
    expect(before.total_points).toBeGreaterThan(0);
    for (const action of ['rekey', 'rename', 'block'] as const)
      expectRefusal(await act(service, action, player.id), 409, /is already removed/);
    // No table but the audit of its renaming has a word of it.
    const found = await service
      .newEm()
      .getConnection()
      .execute<object[]>('select a::text from agents a where id = ? union all select r::text from reserved_names r', [
        player.id,
      ]);
    expect(JSON.stringify(found)).not.toMatch(/Real-Person|dEaD/i);
    expect(JSON.stringify(found)).not.toContain(`"${player.name}"`);
    expect((await service.request('POST', '/api/agents/register', { body: { name: player.name } })).status).toBe(201);
  });

  test('remove also deletes the traces of a spectator whose reservation has expired', async () => {
    const { id, name } = await newPlayer({ mode: 'spectate', wallet_address: WALLET });
    const database = service.newEm().getConnection();
    await database.execute(`update agents set reserved_until = registered_at where id = ?`, [id]);
    const { id: next } = await register(service, name);
    expectRefusal(await act(service, 'rename', id), 404, /no agent/);
    expect((await act(service, 'remove', id, 'Asked for')).status).toBe(200);
    const rows = await database.execute('select name, wallet_address as wallet from agents where id = ?', [id]);
    expect(rows).toEqual([{ name: `removed-${id}`, wallet: null }]);
    expect(await nameOf(next)).toBe(name);
  });

  test('remove deletes standing predictions', async () => {
    const { id, key } = await newPlayer();
    const rows = [{ question_type: 'direction', prediction: 'YES', confidence: 60 }];
    expect((await service.request('PUT', '/api/me/standing', { key, body: { rows } })).status).toBe(200);
    expect((await act(service, 'remove', id)).status).toBe(200);
    const database = service.newEm().getConnection();
    for (const table of ['standing_rows', 'standing_agents'])
      expect(await database.execute(`select from ${table} where agent_id = ?`, [id])).toEqual([]);
  });

  test('remove finds its name free, since nobody can register it', async () => {
    const { id } = await newPlayer();
    const name = `Removed-${id}`;
    expectRefusal(
      await service.request('POST', '/api/agents/register', { body: { name } }),
      400,
      /^name must be none of/,
    );
    expectRefusal(await act(service, 'rename', id, 'Odd', { name }), 400, /^name must be none of/);
    expect((await act(service, 'remove', id)).status).toBe(200);
  });
});

describe('every action', () => {
  const ACTIONS = ['rekey', 'rename', 'block', 'remove'] as const;

  test.each(ACTIONS)('a dry run of %s changes nothing and returns the effect', async (action) => {
    player = await newPlayer();
    const { body: dry } = await act(service, action, player.id, 'Perhaps', { dry_run: true });
    expect(dry).toMatchObject({ agent_id: player.id, dry_run: true, effect: expect.stringContaining(`${player.id}`) });
    expect(await nameOf(player.id)).toBe(player.name);
    expect((await predict(service, player)).status).toBe(201);
    expect((await newestAction(service)).agent_id).not.toBe(player.id);
    const { body: done } = await act(service, action, player.id, 'Sure');
    expect(done.effect).toBe(dry.effect);
    await service.nextHour();
  });

  test('an action requires a reason, an existing agent and known fields, and the audit has refusals', async () => {
    const { id } = await newPlayer();
    expectRefusal(await act(service, 'block', id, null), 400, /^reason must be a sentence/);
    expect(await newestAction(service)).toMatchObject({
      actor: ACTOR,
      action: 'block',
      agent_id: id,
      reason: null,
      result: { refused: expect.stringMatching(/^reason must be/) },
    });
    expectRefusal(await act(service, 'block', 4711), 404, /no agent 4711/);
    expect(await newestAction(service)).toMatchObject({ agent_id: 4711, reason: 'For the test' });
    expectRefusal(await act(service, 'block', 0), 400, /^agent_id must be an id of agents/);
    expect(await newestAction(service)).toMatchObject({ agent_id: null });
    expectRefusal(await act(service, 'block', id, 'Odd', { dryrun: true }), 400, /mean "dry_run"/);
    expectRefusal(await act(service, 'block', id, 'Odd', { dry_run: 'yes' }), 400, /^dry_run must be true or false/);
  });

  test('a key within a reason is removed', async () => {
    const { id, key } = await newPlayer();
    expect((await act(service, 'block', id, `Its key ${key} leaked`)).status).toBe(200);
    expect(await newestAction(service)).toMatchObject({ agent_id: id, reason: 'Its key pk_live_... leaked' });
  });

  test('actions on agents write no event', async () => {
    const { id } = await newPlayer();
    const seq = await lastSeq(service);
    for (const action of ['rekey', 'rename', 'block', 'unblock', 'remove'] as const) await act(service, action, id);
    expect(await eventsAfter(service, seq)).toEqual([]);
  });
});

test('dry runs of actions on rounds change nothing', async () => {
  const { body } = await service.request('GET', '/api/rounds/current');
  const { id } = body.round;
  const seq = await lastSeq(service);
  const dry = await act(service, 'void', id, 'Perhaps', { dry_run: true });
  expect(dry.body).toMatchObject({ dry_run: true, effect: expect.stringMatching(/ends without an outcome: its \d+ /) });
  expect((await service.request('GET', '/api/rounds/current')).body.round.id).toBe(id);
  expect(await eventsAfter(service, seq)).toEqual([]);
  expectRefusal(await act(service, 'void', 4711, 'Perhaps', { dry_run: true }), 404);
});
