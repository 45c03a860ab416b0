import { beforeAll, describe, expect, test } from '@jest/globals';

import { type Player, predict, profileOf, register } from '../support/agents.ts';
import { ask, dataOf } from '../support/asking.ts';
import { FIGURE, INTEGER, ISO, JOINED, TEXT } from './formats.ts';
import { playBets } from '../support/outcomes.ts';
import { expectRefusal } from '../support/refusals.ts';
import { currentRound } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService(() => ({ start: '2026-01-01T12:10:00.250Z' }));
let first: Player;
let second: Player;

beforeAll(async () => {
  first = await register(service, 'First_1');
  second = await register(service, '2222');
  for (let hours = 0; hours < 5; hours += 1) {
    await playBets(service, [
      { player: first, right: true, confidence: 60 + hours },
      { player: second, right: false, confidence: 60 },
    ]);
    await service.nextHour();
  }
  await predict(service, first);
});

test('an agent is readable by its name in any case, as by its id', async () => {
  for (const [{ id }, name] of [
    [first, 'first_1'],
    [first, 'First_1'],
    [second, '2222'],
  ] as const) {
    const byName = await service.request('GET', `/api/agents?name=${name}`);
    const byId = await service.request('GET', `/api/agents/${id}`);
    expect([byName.status, byName.body]).toEqual([200, byId.body]);
  }
});

test('an unknown name gets 404, and a missing one 400', async () => {
  for (const name of ['nobody', '007', '%F0%9F%98%80', 'x'.repeat(2000)])
    expectRefusal(await service.request('GET', `/api/agents?name=${name}`), 404, /^There is no agent with the name "/);
  expectRefusal(await service.request('GET', '/api/agents'), 400, /^name is required/);
  expectRefusal(await service.request('GET', '/api/agents?name=%00'), 400, /^name must/);
});

async function page(query: string) {
  return (await service.request('GET', `/api/me/predictions${query}`, { key: first.key })).body;
}

describe('own predictions', () => {
  test('own predictions are newest first, with the running round and each score', async () => {
    const { predictions, next } = await page('');
    expect(next).toBeNull();
    expect(predictions).toHaveLength(6);
    expect(predictions[0]).toMatchObject({ round_id: (await currentRound(service)).id, score: null, pnl_usd: null });
    expect(predictions[1]).toEqual({
      id: INTEGER,
      round_id: INTEGER,
      question: TEXT,
      question_type: TEXT,
      prediction: TEXT,
      confidence: 64,
      submitted_at: JOINED,
      score: 70,
      is_correct: 1,
      streak_bonus: 10,
      place: 1,
      arena_points: 700,
      pnl_usd: FIGURE,
      submitted_at_iso: ISO,
      standing: false,
      outcome: TEXT,
      brier: FIGURE,
      edge: FIGURE,
      rationale: null,
      model: null,
    });
  });

  test('pages of own predictions have the cursor of the next page', async () => {
    const { predictions: all } = await page('?limit=100');
    const paged = [];
    let query = '?limit=4';
    for (;;) {
      const { predictions, next } = await page(query);
      paged.push(...predictions);
      if (next === null) break;
      query = `?limit=4&after=${encodeURIComponent(next)}`;
    }
    expect(paged).toEqual(all);
    const ends = await page('?limit=3');
    expect((await page(`?limit=3&after=${encodeURIComponent(ends.next)}`)).next).toBeNull();
  });

  test('own predictions refuse a limit above 100 and an unknown cursor', async () => {
    for (const [query, sentence] of [
      ['?limit=101', /^limit must be a whole number from 1 to 100 \(got 101\)\.$/],
      ['?after=1', /^after must be/],
    ] as const)
      expectRefusal(await service.request('GET', `/api/me/predictions${query}`, { key: first.key }), 400, sentence);
  });
});

test('the own profile has the rank on the default board', async () => {
  const { period, rankings } = (await service.request('GET', '/api/leaderboard')).body;
  for (const player of [first, second]) {
    const row = rankings.find(({ agent_id }: { agent_id: number }) => agent_id === player.id);
    expect(row.name).toBe(player.name);
    expect((await profileOf(service, player)).agent).toMatchObject({ rank: row.rank, rank_period: period });
  }
});

describe('dry run', () => {
  let fresh: Player;
  const dry = (fields: Readonly<Record<string, unknown>> = {}, player: Pick<Player, 'key'> = fresh) =>
    predict(service, player, { ...fields, dry_run: true });

  beforeAll(async () => {
    fresh = await register(service, 'fresh');
  });

  test('a dry run returns 200 with the prediction, and stores nothing', async () => {
    const { id, choices } = await currentRound(service);
    const counted = async () => [
      (await service.request('GET', '/api/rounds/current')).body.round.total_entries,
      (await service.request('GET', '/api/stats')).body.total_predictions,
    ];
    const before = await counted();
    const { status, body } = await dry({ confidence: 77 });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        dry_run: true,
        prediction: {
          id: null,
          agent_id: fresh.id,
          round_id: id,
          prediction: choices[0],
          confidence: 77,
          submitted_at: JOINED,
          submitted_at_iso: service.clock.now().toISOString(),
        },
      },
    ]);
    expect(await counted()).toEqual(before);
    expect((await profileOf(service, fresh)).recent_predictions).toEqual([]);
  });

  test('a dry run over GraphQL has the id 0', async () => {
    const { id, choices } = await currentRound(service);
    const document = `mutation { submitPrediction(roundId: ${id}, prediction: "${choices[0]}", confidence: 5, dryRun: true) {
      id dryRun replayed agentName confidence score } }`;
    expect((await dataOf(service, document, { key: fresh.key })).submitPrediction).toEqual({
      id: 0,
      dryRun: true,
      replayed: false,
      agentName: 'fresh',
      confidence: 5,
      score: null,
    });
    expect((await ask(service, document, { key: second.key })).errors).toEqual([]);
  });

  test('a dry run is refused like a submission, in the same order', async () => {
    const spectator = await register(service, 'watching', { mode: 'spectate' });
    const { id } = await currentRound(service);
    const refused = { round_id: id - 1, prediction: 'MAYBE' };
    expectRefusal(await dry({}, { key: `pk_live_${'0'.repeat(48)}` }), 401);
    expectRefusal(await dry({ ...refused, confidence: 101 }, spectator), 400, /confidence/);
    expectRefusal(await dry(refused, spectator), 403, /spectator/);
    expectRefusal(await dry(refused), 400, /round_id/);
    expectRefusal(await dry({ prediction: 'MAYBE' }), 400, /prediction/);
    expectRefusal(await dry({}, first), 409, /already/);
    expectRefusal(await predict(service, fresh, { dry_run: 'yes' }), 400, /^dry_run must be true or false/);
  });

  test('a dry run with a used key returns its answer, and uses up no new key', async () => {
    const idempotencyKey = 'checked-first';
    expect((await dry({ idempotencyKey })).body.prediction.id).toBeNull();
    const real = await predict(service, fresh, { idempotencyKey });
    expect(real.status).toBe(201);
    const again = await dry({ idempotencyKey });
    expect([again.status, again.body.prediction]).toEqual([200, real.body.prediction]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expectRefusal(await dry(), 409, /already/);
  });
});
