import { beforeAll, describe, expect, test } from '@jest/globals';

import { type Player, predict, profileOf, register } from '../support/agents.ts';
import { INTEGER, ISO, JOINED, TEXT } from './formats.ts';
import { playBets } from '../support/outcomes.ts';
import { expectRefusal } from '../support/refusals.ts';
import { currentRound, hourAsking } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService(() => ({ start: '2026-01-01T12:10:30.999Z' }));
let player: Player;

beforeAll(async () => {
  player = await register(service, 'Player_1');
});

async function publicProfile({ id }: Pick<Player, 'id'>) {
  return (await service.request('GET', `/api/agents/${id}`)).body;
}

const FRESH = {
  total_points: 0,
  total_arena_points: 0,
  credential_tier: 'bronze',
  sim_pnl_total: 0,
  sim_pnl_30d: 0,
  total_competitions: 0,
  total_wins: 0,
  current_streak: 0,
  best_streak: 0,
};

/** What stands behind that. */
const SILENT = { about: null, url: null };
const UNKNOWN = { brier: null, skill: null, edge: null, ...SILENT };

const OWN = {
  mode: 'compete',
  registered_at: '2026-01-01 12:10:30',
  registered_at_iso: '2026-01-01T12:10:30.999Z',
  rounds_competed: 0,
  sim_pnl_7d: 0,
  win_rate: 0,
  rank: null,
  rank_period: 'weekly',
  standing_predictions: { lapses_at: null },
  webhooks: [],
};

describe('new agent', () => {
  test('a new agent reads its own profile', async () => {
    const { status, body } = await service.request('GET', '/api/me', { key: player.key });
    expect(body).toEqual({
      agent: { id: player.id, name: 'Player_1', ...FRESH, ...OWN, ...UNKNOWN },
      recent_predictions: [],
    });
    expect(status).toBe(200);
  });

  test('everybody reads a new agent’s public profile', async () => {
    const { status, body } = await service.request('GET', `/api/agents/${player.id}`);
    expect(body).toEqual({
      agent: { id: player.id, name: 'Player_1', ...FRESH, ...UNKNOWN },
      win_rate: 0,
      recent_predictions: [],
    });
    expect(status).toBe(200);
  });

  test('the public profile is the same for strangers, other agents and the agent itself', async () => {
    const other = await register(service, 'other');
    const anonymous = await publicProfile(player);
    for (const { key } of [other, player])
      expect((await service.request('GET', `/api/agents/${player.id}`, { key })).body).toEqual(anonymous);
  });
});

describe('agent with a record', () => {
  test('a profile has each recent prediction, unscored while the round runs', async () => {
    const round = await hourAsking(service, ({ choices }) => choices.length === 2);
    await playBets(service, [{ player, right: true, confidence: 80 }]);
    const { agent, recent_predictions } = await profileOf(service, player);
    expect(agent).toEqual({ id: player.id, name: 'Player_1', ...FRESH, ...OWN, ...UNKNOWN, rounds_competed: 1 });
    expect(recent_predictions).toEqual([
      {
        round_id: round.id,
        question: TEXT,
        question_type: round.question_type,
        prediction: round.choices[0],
        confidence: 80,
        submitted_at: JOINED,
        submitted_at_iso: ISO,
        score: null,
        is_correct: null,
        outcome: null,
        pnl_usd: null,
        standing: false,
      },
    ]);
    expect((await publicProfile(player)).recent_predictions).toEqual(recent_predictions);
    await service.nextHour();
  });

  test('a correct prediction earns points, 700 arena points for first place, and 28 USD', async () => {
    const record = {
      ...FRESH,
      total_points: 110,
      total_arena_points: 700,
      sim_pnl_total: 28,
      sim_pnl_30d: 28,
      total_competitions: 1,
      total_wins: 1,
      current_streak: 1,
      best_streak: 1,
    };
    const { agent, recent_predictions } = await profileOf(service, player);
    const own = { ...OWN, rounds_competed: 1, sim_pnl_7d: 28, win_rate: 100, rank: 1 };
    // 80 percent on the right one of two: (0.8 - 1)^2. Of one round no skill is known, and no interval.
    const edge = { mean: expect.any(Number), low: null, high: null, n: 1 };
    const good = { brier: 0.04, skill: null, edge, ...SILENT };
    expect(agent).toEqual({ id: player.id, name: 'Player_1', ...record, ...own, ...good });
    const [{ prediction }] = recent_predictions;
    expect(recent_predictions).toMatchObject([{ score: 110, is_correct: 1, pnl_usd: 28, outcome: prediction }]);
    const { predictions } = (await service.request('GET', '/api/me/predictions', { key: player.key })).body;
    expect(predictions).toMatchObject([{ brier: 0.04, edge: agent.edge.mean, outcome: prediction }]);
    const seen = await publicProfile(player);
    expect(seen).toEqual({
      agent: { id: player.id, name: 'Player_1', ...record, ...good },
      win_rate: 100,
      recent_predictions,
    });
  });

  test('wrong predictions cost points, P&L and the streak, but not the best streak', async () => {
    for (let hours = 0; hours < 2; hours += 1) {
      await hourAsking(service, ({ choices }) => choices.length === 2);
      await playBets(service, [{ player, right: false, confidence: 100 - hours * 20 }]);
      await service.nextHour();
    }
    expect((await profileOf(service, player)).agent).toMatchObject({
      total_points: 110 - 40 - 40,
      total_arena_points: 2100,
      sim_pnl_total: 28 - 100 - 52,
      total_competitions: 3,
      total_wins: 1,
      current_streak: 0,
      best_streak: 1,
      win_rate: 33.33,
    });
  });

  test('a profile has the last 20 predictions, newest first', async () => {
    const steady = await register(service, 'steady');
    const rounds: number[] = [];
    for (let hours = 0; hours < 21; hours += 1) {
      rounds.push((await currentRound(service)).id);
      await predict(service, steady, { confidence: hours });
      await service.passHour();
    }
    const { agent, recent_predictions } = await profileOf(service, steady);
    const ids = recent_predictions.map(({ round_id }: { round_id: number }) => round_id);
    expect(ids).toEqual(rounds.toReversed().slice(0, 20));
    expect(agent).toMatchObject({ total_competitions: 21, rounds_competed: 21 });
    for (const item of recent_predictions) expect(item).toMatchObject({ score: INTEGER, question: TEXT });
  });
});

test.each(['999999', '2147483647'])('the unknown agent %s gets 404', async (id) => {
  expectRefusal(await service.request('GET', `/api/agents/${id}`), 404, /no agent/);
});

const LARGE = ['2147483648', '9'.repeat(20), '9'.repeat(400)];

test.each(['0', ...LARGE, 'x', '-1', '1.5', 'Player_1', '%00', '1%00', '__proto__', '%E2%80%AE'])(
  'the invalid agent %s gets 400, with the maximum only if it is exceeded',
  async (id) => {
    const answer = await service.request('GET', `/api/agents/${id}`);
    const { error } = answer.body;
    const [, most] = /^agent_id must be a whole number from 1( to 2147483647)? \(got .+\)\.$/.exec(error) ?? [];
    expectRefusal(answer, 400, /^agent_id must be a whole number from 1 /);
    expect(most !== undefined).toBe(LARGE.includes(id));
  },
);
