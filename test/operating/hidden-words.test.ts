import { describe, expect, test } from '@jest/globals';

import { type Player, predict, register } from '../support/agents.ts';
import { dataOf } from '../support/asking.ts';
import { until } from '../support/poll.ts';
import { expectRefusal } from '../support/refusals.ts';
import { currentRound } from '../support/rounds.ts';
import type { Answer } from '../support/service.ts';
import { sharedService } from '../support/shared.ts';
import { act, newestAction, TOKEN } from './admin.ts';

const service = sharedService(() => ({ adminToken: TOKEN, logLevel: 'info' }));

let players = 0;

/** An agent that has said something in a round, and the round. */
async function spoken(model: string): Promise<{ player: Player; round: number }> {
  players += 1;
  const player = await register(service, `speaker-${players}`);
  return { player, round: await speak(player, model) };
}

async function speak(player: Player, model: string): Promise<number> {
  const { id } = await currentRound(service);
  expect((await predict(service, player, { model, rationale: `Because of ${model}` })).status).toBe(201);
  return id;
}

async function entryOf(round: number, player: Player) {
  const { body } = await service.request('GET', `/api/rounds/${round}/entries`);
  return body.entries.find((entry: { agent_id: number }) => entry.agent_id === player.id);
}

async function modelsNamed(): Promise<readonly string[]> {
  const { body } = await service.request('GET', '/api/models?period=alltime&limit=50');
  return body.models.map(({ model }: { model: string }) => model);
}

/** What an agent has said that is not hidden. */
async function wordsOf({ id }: Player) {
  return service
    .newEm()
    .getConnection()
    .execute<object[]>('select from rationales where agent_id = ? and hidden_at is null', [id]);
}

describe('hide', () => {
  test('hide removes an agent’s texts of one round for everybody at once, and is in the audit', async () => {
    const { player, round } = await spoken('slur');
    await service.nextHour();
    const other = await speak(player, 'kind');
    await service.nextHour();
    // Asked for before, so that a kept answer would show it.
    for (const id of [round, other]) expect((await entryOf(id, player)).model).toMatch(/slur|kind/);
    expect(await modelsNamed()).toEqual(expect.arrayContaining(['slur', 'kind']));
    const { status, body } = await act(service, 'hide', player.id, 'Abuse', { round });
    expect([status, body.hidden_round]).toEqual([200, round]);
    expect(await entryOf(round, player)).toMatchObject({
      prediction: expect.any(String),
      rationale: null,
      model: null,
    });
    expect(await entryOf(other, player)).toMatchObject({ model: 'kind' });
    const { predictions } = (await service.request('GET', '/api/me/predictions', { key: player.key })).body;
    expect(predictions.map(({ model }: { model: string | null }) => model)).toEqual(['kind', null]);
    const query = `{ round(id: ${round}) { results { rationale model } } breakdown(by: [MODEL], agentId: ${player.id}) { keys { value } } }`;
    expect(await dataOf(service, query)).toEqual({
      round: { results: [{ rationale: null, model: null }] },
      breakdown: [{ keys: [{ value: 'kind' }] }],
    });
    expect(await modelsNamed()).not.toContain('slur');
    expect(await newestAction(service)).toMatchObject({
      action: 'hide',
      agent_id: player.id,
      reason: 'Abuse',
      result: { hidden_round: round },
    });
    expect(service.logged.join('')).not.toMatch(/slur/);
  });

  test('hide works while the round runs', async () => {
    const { player, round } = await spoken('early');
    expect((await act(service, 'hide', player.id, 'Abuse', { round: `${round}` })).status).toBe(200);
    await service.nextHour();
    expect(await entryOf(round, player)).toMatchObject({ rationale: null, model: null });
    expect(await modelsNamed()).not.toContain('early');
  });

  test('hide is refused without a round, for one without texts, and twice', async () => {
    const { player, round } = await spoken('said');
    expectRefusal(await act(service, 'hide', player.id), 400, /^round must be the id of a round .*\(got nothing\)/);
    for (const bad of [0, 1.5, 'x', true, [1]])
      expectRefusal(
        await act(service, 'hide', player.id, 'Odd', { round: bad }),
        400,
        /^round must be the id of a round/,
      );
    expectRefusal(
      await act(service, 'hide', player.id, 'Odd', { round: 999_999 }),
      409,
      /has no rationale or model in round 999999/,
    );
    expect((await act(service, 'hide', player.id, 'Abuse', { round, dry_run: true })).body.dry_run).toBe(true);
    expect((await act(service, 'hide', player.id, 'Abuse', { round })).status).toBe(200);
    expectRefusal(await act(service, 'hide', player.id, 'Abuse', { round }), 409, /already hidden/);
  });
});

test('remove deletes all texts of an agent: rationales, models, about and url', async () => {
  const { player, round } = await spoken('personal');
  await service.request('PATCH', '/api/me', {
    key: player.key,
    body: { about: 'I am Ann', url: 'https://ann.example' },
  });
  await service.nextHour();
  expect(await modelsNamed()).toContain('personal');
  await act(service, 'remove', player.id, 'Asked for');
  expect(await entryOf(round, player)).toMatchObject({ prediction: expect.any(String), rationale: null, model: null });
  const { agent } = (await service.request('GET', `/api/agents/${player.id}`)).body;
  expect(agent).toMatchObject({ about: null, url: null });
  expect(await modelsNamed()).not.toContain('personal');
  for (const table of ['rationales', 'agents', 'model_sums'])
    expect(JSON.stringify(await service.newEm().getConnection().execute(`select t::text from ${table} t`))).not.toMatch(
      /personal|Ann/,
    );
});

describe('submission during an operator’s action', () => {
  const WAITING = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like ?`;

  /** The answers to a submission with words that waits for its round, and to an action that comes meanwhile. */
  async function actsMeanwhile(
    player: Player,
    action: 'hide' | 'remove',
  ): Promise<{ readonly round: number; readonly prediction: Answer; readonly done: Answer }> {
    const { id: round } = await currentRound(service);
    const waits = async (query: string) =>
      (await service.newEm().getConnection().execute<object[]>(WAITING, [query])).length > 0;
    let saying: Promise<Answer> | undefined;
    let doing: Promise<Answer> | undefined;
    await service.newEm().transactional(async (transaction) => {
      await transaction.execute('select from rounds where id = ? for update', [round]);
      saying = predict(service, player, { model: 'late-model', rationale: 'I am Jane Doe' });
      await until('the submission waits for its round', () => waits('%with offered%'));
      let isDone = false;
      doing = act(service, action, player.id, 'Asked for', action === 'hide' ? { round } : {});
      void doing.finally(() => (isDone = true));
      await until('the operator waits, or is answered', async () => isDone || waits('lock table%'));
    });
    const [prediction, done] = await Promise.all([saying, doing]);
    if (prediction === undefined || done === undefined) throw new Error('Nothing was asked');
    return { round, prediction, done };
  }

  test('a text submitted during remove is deleted', async () => {
    await service.nextHour();
    const player = await register(service, 'removed-meanwhile');
    const { prediction, done } = await actsMeanwhile(player, 'remove');
    expect([prediction.status, done.status]).toEqual([201, 200]);
    expect(await wordsOf(player)).toEqual([]);
  });

  test('a text submitted during hide is hidden with its round', async () => {
    await service.nextHour();
    const player = await register(service, 'hidden-meanwhile');
    const { round, prediction, done } = await actsMeanwhile(player, 'hide');
    expect([prediction.status, done.status, done.body.hidden_round]).toEqual([201, 200, round]);
    expect(await wordsOf(player)).toEqual([]);
  });
});

test('remove and hide accept a removed agent, and delete its remaining texts', async () => {
  await service.nextHour();
  const { player, round } = await spoken('left');
  expect((await act(service, 'remove', player.id)).status).toBe(200);
  const database = service.newEm().getConnection();
  const leave = () =>
    database.execute(`insert into rationales (round_id, agent_id, model) values (?, ?, 'left')`, [round, player.id]);
  await leave();
  await service.nextHour();
  expect((await entryOf(round, player)).model).toBe('left');
  expect((await act(service, 'hide', player.id, 'Abuse', { round })).status).toBe(200);
  expect((await entryOf(round, player)).model).toBeNull();
  const removedAt = () => database.execute('select removed_at from agents where id = ?', [player.id]);
  const first = await removedAt();
  expect((await act(service, 'remove', player.id)).body).toMatchObject({ removed: true });
  expect(await database.execute('select from rationales where agent_id = ?', [player.id])).toEqual([]);
  expect(await removedAt()).toEqual(first);
});
