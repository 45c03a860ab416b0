import { expect, test } from '@jest/globals';

import { predict, register, registerMany } from '../support/agents.ts';
import { playBets } from '../support/outcomes.ts';
import { currentRound } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService();

async function stats() {
  return (await service.request('GET', '/api/stats')).body;
}

const EMPTY = {
  total_agents: 0,
  total_competitions: 0,
  total_predictions: 0,
  active_round: true,
  active_round_id: 1,
  active_entries: 0,
  arena_points_per_round: 2500,
  top_agent: null,
  top_agent_credential: null,
  avg_confidence: null,
  credential_holders: { bronze: 0, silver: 0, gold: 0, diamond: 0 },
};

test('an empty platform names nobody', async () => {
  const { status, body } = await service.request('GET', '/api/stats');
  expect([status, body]).toEqual([200, EMPTY]);
});

test('predictions of open rounds count; resolved rounds make competitions and a top agent', async () => {
  const [one, two, three] = await registerMany(service, 'player', 3);
  await register(service, 'spectator', { mode: 'spectate' });
  if (!one || !two || !three) throw new Error('Three players were asked for');
  const open = { ...EMPTY, total_agents: 4, credential_holders: { bronze: 4, silver: 0, gold: 0, diamond: 0 } };
  expect(await stats()).toEqual(open);

  await playBets(service, [
    { player: one, right: false, confidence: 50 },
    { player: two, right: true, confidence: 50 },
    { player: three, right: false, confidence: 51 },
  ]);
  const asked = { ...open, total_predictions: 3, active_entries: 3, avg_confidence: 50.33 };
  expect(await stats()).toEqual(asked);

  await service.nextHour();
  const { id } = await currentRound(service);
  const resolved = {
    ...asked,
    total_competitions: 1,
    active_round_id: id,
    active_entries: 0,
    top_agent: 'player-2',
    top_agent_credential: 'bronze',
  };
  expect(await stats()).toEqual(resolved);

  await predict(service, one, { confidence: 100 });
  expect(await stats()).toEqual({ ...resolved, total_predictions: 4, active_entries: 1, avg_confidence: 62.75 });
});

test('the top agent is the first of the all-time board, also after weeks of silence', async () => {
  service.clock.set('2026-03-01T12:10:00Z');
  await service.turn();
  await service.nextHour();
  const { rankings } = (await service.request('GET', '/api/leaderboard?period=alltime')).body;
  expect((await stats()).top_agent).toBe(rankings[0].name);
  expect((await service.request('GET', '/api/leaderboard?period=daily')).body.rankings).toEqual([]);
});
