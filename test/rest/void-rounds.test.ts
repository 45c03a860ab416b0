import { beforeAll, describe, expect, test } from '@jest/globals';

import { ASSETS } from '../../src/rules/assets.ts';
import { type Player, predict, profileOf, register } from '../support/agents.ts';
import { INTEGER, ISO, JOINED } from './formats.ts';
import { playBets } from '../support/outcomes.ts';
import { expectRefusal } from '../support/refusals.ts';
import { type CurrentRound, currentRound, hourAsking, secondOf, startOf } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';

const HOUR = 3_600_000;

const service = sharedService();
let player: Player;
let other: Player;

beforeAll(async () => {
  player = await register(service, 'player');
  other = await register(service, 'other');
});

function results({ id }: CurrentRound) {
  return service.request('GET', `/api/rounds/${id}/results`);
}

async function predictBoth(round: CurrentRound): Promise<void> {
  await predict(service, player, { confidence: 90 });
  await predict(service, other, { prediction: secondOf(round.choices), confidence: 10 });
}

/** A void round's answer: its predictions in the order of submission, unscored. */
function voidAnswer(round: CurrentRound, void_reason: string) {
  const times = { submitted_at: JOINED, submitted_at_iso: ISO };
  const unscored = {
    id: INTEGER,
    agent_id: INTEGER,
    ...times,
    score: null,
    is_correct: null,
    streak_bonus: null,
    standing: false,
    rationale: null,
    model: null,
  };
  return {
    round: expect.objectContaining({
      id: round.id,
      question: expect.any(String),
      status: 'void',
      resolution_value: null,
      outcome: null,
      void_reason,
      void_note: null,
      total_entries: 2,
    }),
    predictions: [
      { ...unscored, agent_name: 'player', prediction: round.choices[0], confidence: 90 },
      { ...unscored, agent_name: 'other', prediction: round.choices[1], confidence: 10 },
    ],
  };
}

test('a tie voids the round, changes no profile and counts no competition', async () => {
  const round = await hourAsking(service, ({ question_type }) => question_type === 'worst_performer');
  const stats = (await service.request('GET', '/api/stats')).body;
  const before = await profileOf(service, player);
  await predictBoth(round);
  for (const asset of ASSETS) service.market.script(asset, startOf(round), ['100', '101', '99', '100']);
  await service.nextHour();
  const { status, body } = await results(round);
  expect(body).toEqual(voidAnswer(round, 'tie'));
  expect(status).toBe(200);
  const after = await profileOf(service, player);
  expect(after.agent).toEqual(before.agent);
  expect((await service.request('GET', '/api/stats')).body).toMatchObject({
    total_competitions: stats.total_competitions,
    total_predictions: stats.total_predictions + 2,
  });
  expect(after.recent_predictions[0]).toMatchObject({ round_id: round.id, score: null, is_correct: null });
});

describe('round without usable candles', () => {
  let round: CurrentRound;

  beforeAll(async () => {
    await playBets(service, [{ player, right: true, confidence: 60 }]);
    await service.nextHour();
    round = await currentRound(service);
    await predictBoth(round);
    for (const asset of ASSETS) service.market.script(asset, startOf(round), null);
    await service.nextHour();
  });

  test('a round without candles has no results: 404 with its end and retry_after', async () => {
    const answer = await results(round);
    expectRefusal(answer, 404, new RegExp(`${round.id}.*${round.end_time}`));
    expect(answer.body).toMatchObject({ code: 'results_not_ready', retry_after: 5 });
  });

  test('a round without candles is listed as resolving, and its entries stay unscored', async () => {
    const { rounds } = (await service.request('GET', '/api/rounds/recent')).body;
    expect(rounds[0]).toMatchObject({ id: round.id, status: 'resolving', resolution_value: null });
    const { entries } = (await service.request('GET', `/api/rounds/${round.id}/entries`)).body;
    expect(entries).toMatchObject([{ score: null }, { score: null }]);
  });

  test('a round without candles counts as a round competed, not as a competition', async () => {
    const { agent } = await profileOf(service, player);
    expect(agent.rounds_competed).toBe(agent.total_competitions + 1);
  });

  test('a round without candles does not delay later rounds', async () => {
    const later = await playBets(service, [{ player, right: true, confidence: 60 }]);
    await service.nextHour();
    expect((await results(later)).body.round.status).toBe('resolved');
    expectRefusal(await results(round), 404);
  });

  test('a round without candles is void exactly 24 hours after its end', async () => {
    const end = startOf(round).getTime() + HOUR;
    const before = await profileOf(service, player);
    service.clock.set(new Date(end + 24 * HOUR - 1));
    await service.turn();
    expectRefusal(await results(round), 404);
    service.clock.set(new Date(end + 24 * HOUR));
    await service.turn();
    const { body } = await results(round);
    expect(body).toEqual(voidAnswer(round, 'no_prices'));
    const behind = body.predictions.map(({ id }: { id: number }) => `&after=${id}`);
    for (const [place, after] of ['', ...behind].entries()) {
      const page = await service.request('GET', `/api/rounds/${round.id}/results?limit=1${after}`);
      expect(page.body.predictions).toEqual(body.predictions.slice(place, place + 1));
    }
    const after = await profileOf(service, player);
    expect(after.agent).toEqual({ ...before.agent, rounds_competed: before.agent.rounds_competed - 1 });
  });
});
