import { expect, test } from '@jest/globals';

import { statementsDuring } from '../resolvers/analysts/counted-statements.ts';
import { predict, register, registerMany } from '../support/agents.ts';
import { dataOf } from '../support/asking.ts';
import { playBets } from '../support/outcomes.ts';
import { currentRound } from '../support/rounds.ts';
import { startService } from '../support/service.ts';
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
  punctuality: expect.any(Array),
};

test('an empty platform has no top agent', async () => {
  const { status, body } = await service.request('GET', '/api/stats');
  expect([status, body]).toEqual([200, EMPTY]);
});

test('predictions of open rounds count; resolved rounds give competitions and a top agent', async () => {
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
  const counted = { ...open, total_predictions: 3, active_entries: 3, avg_confidence: 50.33 };
  expect(await stats()).toEqual(counted);

  await service.nextHour();
  const { id } = await currentRound(service);
  const resolved = {
    ...counted,
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

test('one statement counts the predictions of decided and of open rounds', async () => {
  const { key } = await register(service, 'reader');
  const counting = await statementsDuring(() =>
    dataOf(service, '{ stats { totalPredictions avgConfidence } }', { key }),
  );
  expect(counting.filter((text) => /"platform"|confidence_sum/.test(text))).toHaveLength(1);
});

test('the top agent leads the all-time board, also after weeks of silence', async () => {
  service.clock.set('2026-03-01T12:10:00Z');
  await service.turn();
  await service.nextHour();
  const { rankings } = (await service.request('GET', '/api/leaderboard?period=alltime')).body;
  expect((await stats()).top_agent).toBe(rankings[0].name);
  expect((await service.request('GET', '/api/leaderboard?period=daily')).body.rankings).toEqual([]);
});

test('punctuality is given per window, and leaves decisions by operators out', async () => {
  await using own = await startOwn();
  const punctuality = async () => (await own.request('GET', '/api/stats')).body.punctuality;
  const none = {
    opened_p50_seconds: null,
    opened_p99_seconds: null,
    decided_p50_seconds: null,
    decided_p99_seconds: null,
  };
  expect(await punctuality()).toEqual(
    ['daily', 'weekly', 'monthly'].map((period) => ({
      ...none,
      period,
      // The hour in which the service first started had begun long before.
      rounds: 0,
    })),
  );
  await own.newEm().getConnection().execute(`
    insert into rounds (start_time, end_time, status, question_type, prediction_format, question, choices, source,
      outcome, resolution_value, void_reason, opened_at, decided_at)
    select at, at + interval '1 hour', case when late % 10 = 0 then 'void' else 'resolved' end, question_type,
      prediction_format, question, choices, source, case when late % 10 <> 0 then 'YES' end, case when late % 10 <> 0 then 1 end,
      case when late % 10 = 0 then 'admin' end, at + late * interval '1 second', at + interval '1 hour' + late * interval '2 seconds'
    from generate_series(1, 100) late cross join lateral (select start_time - late * interval '1 hour' as at from rounds where id = 1) h
    cross join (select * from rounds where id = 1) r`);
  own.clock.set(new Date(own.clock.now().getTime() + 1_000));
  const [day, week, month] = await punctuality();
  // Hours whose start is within 24 hours of 12:10: those of n up to 23, and the running one, in which it started.
  expect(day).toEqual({
    period: 'daily',
    rounds: 23,
    opened_p50_seconds: 12,
    opened_p99_seconds: 23,
    // Of n 1 to 23 without 10 and 20.
    decided_p50_seconds: 24,
    decided_p99_seconds: 46,
  });
  expect(week).toMatchObject({ period: 'weekly', rounds: 100, opened_p50_seconds: 50, decided_p99_seconds: 198 });
  expect(month).toEqual({ ...week, period: 'monthly' });
});

async function startOwn() {
  const started = await startService();
  return { ...started, [Symbol.asyncDispose]: () => started.stop() };
}
