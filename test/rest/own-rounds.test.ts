import { beforeAll, describe, expect, test } from '@jest/globals';

import { act, TOKEN } from '../operating/admin.ts';
import { DAY } from '../../src/rules/hours.ts';
import { type Player, predict, register } from '../support/agents.ts';
import { ask, dataOf } from '../support/asking.ts';
import { until } from '../support/poll.ts';
import { expectRefusal } from '../support/refusals.ts';
import { currentRound } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';
import type { TestService } from '../support/service.ts';
import { ISO } from './formats.ts';

const service = sharedService(() => ({ adminToken: TOKEN, start: '2026-01-01T12:10:00Z' }));
let early: Player;
let player: Player;
const ids: number[] = [];

async function record({ key }: Pick<Player, 'key'>, query = '') {
  return (await service.request('GET', `/api/me/rounds${query}`, { key })).body;
}

/** How often and why each agent was refused, by round. */
async function refusalsKept({ newEm }: TestService = service) {
  return newEm().execute('select round_id, agent_id, refusals, reason from refusals order by 1, 2');
}

/** Refusals are counted behind their answers. */
async function counted(many: number, { id }: Pick<Player, 'id'>): Promise<void> {
  await until(`${many} refusals are counted`, async () => {
    const [found] = await service
      .newEm()
      .execute('select sum(refusals)::int as n from refusals where agent_id = ?', [id]);
    return found?.n === many;
  });
}

beforeAll(async () => {
  early = await register(service, 'early');
  await service.nextHour();
  player = await register(service, 'player');
  // Predicted at :10, after a refusal, and tried once more.
  const { id } = await currentRound(service);
  expectRefusal(await predict(service, player, { prediction: 'NEVER' }), 400);
  expect((await predict(service, player)).status).toBe(201);
  expectRefusal(await predict(service, player), 409);
  // Before the clock moves.
  await counted(2, player);
  ids.push(id);
  // Refused twice: for a round that is over, and for an answer that is no choice.
  await service.nextHour(40);
  expectRefusal(await predict(service, player, { prediction: 'NEVER' }), 400);
  expectRefusal(await predict(service, player, { round_id: 1 }), 400);
  await counted(4, player);
  ids.push(id + 1);
  // Absent, then predicted a quarter of an hour before the end.
  await service.nextHour();
  ids.push(id + 2);
  await service.nextHour(45);
  await predict(service, player);
  ids.push(id + 3);
  await service.nextHour();
});

describe('own rounds', () => {
  test('own rounds have the agent’s state in each round since registration, newest first', async () => {
    const { rounds, median_lead_seconds: median } = await record(player);
    const [last, absent, refused, first] = rounds;
    expect(rounds).toHaveLength(4);
    expect(rounds.map((one: { round_id: number }) => one.round_id)).toEqual(ids.toReversed());
    const question = { start_time: ISO, status: 'resolved', outcome: expect.any(String) };
    expect(first).toEqual({
      ...question,
      round_id: ids[0],
      state: 'predicted',
      reason: 'already_predicted',
      refusals: 2,
      lead_seconds: 3000,
      refused_at: ISO,
    });
    expect(refused).toEqual({
      ...question,
      round_id: ids[1],
      state: 'refused',
      reason: 'not_current_round',
      refusals: 2,
      lead_seconds: null,
      refused_at: '2026-01-01T14:40:00.000Z',
    });
    const untouched = { reason: null, refusals: 0, refused_at: null };
    expect(absent).toEqual({ ...question, ...untouched, round_id: ids[2], state: 'absent', lead_seconds: null });
    expect(last).toEqual({ ...question, ...untouched, round_id: ids[3], state: 'predicted', lead_seconds: 900 });
    expect(median).toBe(1950);
  });

  test('own rounds exclude the running one, and obey the limit', async () => {
    const running = await currentRound(service);
    const { rounds } = await record(early);
    expect(rounds.map((one: { round_id: number }) => one.round_id)).not.toContain(running.id);
    // The round in whose hour it registered could have been predicted.
    expect(rounds).toHaveLength(5);
    const { rounds: two, median_lead_seconds: median } = await record(player, '?limit=2');
    expect(two).toEqual((await record(player)).rounds.slice(0, 2));
    expect(median).toBe(900);
    expectRefusal(
      await service.request('GET', '/api/me/rounds?limit=169', { key: player.key }),
      400,
      /^limit must be a whole number from 1 to 168 \(got 169\)/,
    );
  });

  test('own rounds are visible only to the agent itself', async () => {
    expectRefusal(await service.request('GET', '/api/me/rounds'), 401);
    const { errors } = await ask(service, '{ ownRounds { rounds { roundId } } }');
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHENTICATED']);
    const mine = await dataOf(
      service,
      '{ ownRounds(limit: 3) { medianLeadSeconds rounds { roundId state reason } } }',
      {
        key: player.key,
      },
    );
    expect(mine.ownRounds).toEqual({
      medianLeadSeconds: 900,
      rounds: [
        { roundId: ids[3], state: 'predicted', reason: null },
        { roundId: ids[2], state: 'absent', reason: null },
        { roundId: ids[1], state: 'refused', reason: 'not_current_round' },
      ],
    });
    expect((await record(early)).rounds.map((one: { state: string }) => one.state)).toEqual(Array(5).fill('absent'));
  });

  test('own rounds mark standing predictions and leave them out of the median lead', async () => {
    const agent = await register(service, 'standing');
    const { id, choices } = await currentRound(service);
    await service.newEm().execute(
      `insert into predictions (round_id, agent_id, prediction, confidence, submitted_at, standing)
        values (?, ?, ?, 60, '2026-01-01T17:50:00Z', true)`,
      [id, agent.id, choices[0]],
    );
    await service.nextHour();
    expect(await record(agent)).toEqual({
      rounds: [expect.objectContaining({ round_id: id, state: 'standing', lead_seconds: 600, refusals: 0 })],
      median_lead_seconds: null,
    });
  });

  test('own rounds include a void round, but none that was void before its hour', async () => {
    const agent = await register(service, 'void');
    const { id } = await currentRound(service);
    await act(service, 'void', id + 1, 'Its prices will be wrong.');
    await act(service, 'void', id, 'Its prices are wrong.');
    await service.nextHour();
    await service.nextHour();
    expect((await record(agent)).rounds).toEqual([
      expect.objectContaining({ round_id: id, state: 'absent', status: 'void', outcome: null }),
    ]);
  });
});

describe('refusals', () => {
  test('refusals for long past or unknown rounds count in the running round', async () => {
    const agent = await register(service, 'lost');
    const { id } = await currentRound(service);
    for (const round of [1, 999_999, 2_147_483_647])
      expectRefusal(await predict(service, agent, { round_id: round }), 400);
    await counted(3, agent);
    expect(await refusalsKept()).toContainEqual({
      round_id: id,
      agent_id: agent.id,
      refusals: 3,
      reason: 'not_current_round',
    });
  });

  test('refusals for the previous or next round count in that round', async () => {
    const agent = await register(service, 'late');
    const { id } = await currentRound(service);
    for (const round of [id - 1, id + 1]) expectRefusal(await predict(service, agent, { round_id: round }), 400);
    await counted(2, agent);
    const kept = await refusalsKept();
    expect(kept.filter((one) => one.agent_id === agent.id).map((one) => one.round_id)).toEqual([id - 1, id + 1]);
  });

  test('refusals of unknown agents and of dry runs are not counted', async () => {
    const agent = await register(service, 'unseen');
    const before = await refusalsKept();
    expectRefusal(await predict(service, { key: `pk_live_${'0'.repeat(48)}` }), 401);
    expectRefusal(await predict(service, agent, { prediction: 'NEVER', dry_run: true }), 400);
    // Those that come later are counted later.
    expectRefusal(await predict(service, agent, { prediction: 'NEVER' }), 400);
    await counted(1, agent);
    expect(await refusalsKept()).toHaveLength(before.length + 1);
  });

  test('refusals of invalid values count in the running round', async () => {
    const agent = await register(service, 'unreadable');
    const { id } = await currentRound(service);
    for (const confidence of [101, 0.85, '85']) expectRefusal(await predict(service, agent, { confidence }), 400);
    await counted(3, agent);
    const kept = (await refusalsKept()).filter((one) => one.agent_id === agent.id);
    expect(kept).toEqual([expect.objectContaining({ round_id: id, refusals: 3, reason: 'invalid_parameter' })]);
  });

  test('GraphQL refusals of values out of range count in the named round', async () => {
    const agent = await register(service, 'over-graphql');
    const { id, choices } = await currentRound(service);
    const submit = (beside: string) =>
      ask(service, `mutation { submitPrediction(roundId: ${id}, prediction: "${choices[0]}", ${beside}) { id } }`, {
        key: agent.key,
      });
    for (const beside of ['confidence: 150', `confidence: 60, rationale: "${'a'.repeat(2_001)}"`]) {
      const { errors } = await submit(beside);
      expect(errors.map(({ extensions }) => extensions.code)).toEqual(['BAD_REQUEST']);
    }
    await counted(2, agent);
    const kept = (await refusalsKept()).filter((one) => one.agent_id === agent.id);
    expect(kept).toEqual([expect.objectContaining({ round_id: id, refusals: 2, reason: 'invalid_parameter' })]);
    await service.nextHour();
    expect((await record(agent)).rounds).toEqual([expect.objectContaining({ round_id: id, state: 'refused' })]);
  });

  test('dry runs with values out of range are not counted, over REST and GraphQL', async () => {
    const agent = await register(service, 'only-checked');
    const { id } = await currentRound(service);
    expectRefusal(await predict(service, agent, { confidence: 150, dry_run: true }), 400);
    const document = `mutation { submitPrediction(roundId: ${id}, prediction: "YES", confidence: 150, dryRun: true) { id } }`;
    expect((await ask(service, document, { key: agent.key })).errors).toHaveLength(1);
    // Those that come later are counted later.
    expectRefusal(await predict(service, agent, { prediction: 'NEVER' }), 400);
    await counted(1, agent);
  });

  test('a refusal that cannot be counted is still a refusal', async () => {
    const agent = await register(service, 'uncounted');
    const other = await register(service, 'other');
    await service.newEm().execute(`alter table refusals add constraint not_this_one check (agent_id <> ${agent.id})`);
    expectRefusal(await predict(service, agent, { prediction: 'NEVER' }), 400, /^prediction must be one of/);
    // Those that come later are counted later.
    expectRefusal(await predict(service, other, { prediction: 'NEVER' }), 400);
    await counted(1, other);
    expect((await predict(service, agent)).status).toBe(201);
    expect(service.reported).toEqual([]);
  });

  test('refusals are kept for two weeks, and then deleted', async () => {
    const kept = await refusalsKept();
    expect(kept).not.toEqual([]);
    const start = service.clock.now().getTime();
    for (const [days, left] of [
      [13, kept],
      [15, []],
    ] as const) {
      service.clock.set(new Date(start + days * DAY));
      await service.turn();
      expect(await refusalsKept()).toEqual(left);
    }
  });
});
