import { beforeAll, describe, expect, test } from '@jest/globals';

import { type Player, registerMany } from '../support/agents.ts';
import { INTEGER, ISO, JOINED, SPACED, TEXT } from './formats.ts';
import { type Bet, playBets } from '../support/outcomes.ts';
import { expectRefusal } from '../support/refusals.ts';
import { currentRound, firstOf, hourAsking, secondOf } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService();
let players: readonly Player[];

beforeAll(async () => {
  players = await registerMany(service, 'player', 6);
});

async function resultsOf(round: { readonly id: number }, query = '') {
  return (await service.request('GET', `/api/rounds/${round.id}/results${query}`)).body;
}

function playerAt(place: number): Player {
  const player = players[place];
  if (player === undefined) throw new Error(`There is no player ${place}`);
  return player;
}

function at(place: number, right: boolean, confidence: number): Bet {
  return { player: playerAt(place), right, confidence };
}

describe('results of a resolved round', () => {
  test('results have the round with outcome and prices, and the scored predictions', async () => {
    const round = await hourAsking(service, ({ question_type }) => question_type === 'relative');
    await playBets(service, [{ player: playerAt(0), right: true, confidence: 85 }]);
    await service.nextHour();
    const { status, body } = await service.request('GET', `/api/rounds/${round.id}/results`);
    const [first, second] = [firstOf(round.choices).toLowerCase(), secondOf(round.choices).toLowerCase()];
    expect(body).toEqual({
      round: {
        ...round,
        start_time: SPACED,
        end_time: SPACED,
        starts_at: ISO,
        ends_at: ISO,
        status: 'resolved',
        total_entries: 1,
        arena_points_pool: 2500,
        vertical_id: 1,
        source: TEXT,
        resolution_value: 1,
        outcome: round.choices[0],
        void_reason: null,
        void_note: null,
        [`start_${first}_price`]: 100,
        [`end_${first}_price`]: 120,
        [`${first}_return_pct`]: 20,
        [`start_${second}_price`]: 100,
        [`end_${second}_price`]: 100,
        [`${second}_return_pct`]: 0,
        amendments: [],
        archived: false,
      },
      predictions: [
        {
          id: INTEGER,
          agent_id: playerAt(0).id,
          agent_name: 'player-1',
          prediction: round.choices[0],
          confidence: 85,
          submitted_at: JOINED,
          submitted_at_iso: ISO,
          standing: false,
          score: 110,
          is_correct: 1,
          streak_bonus: 0,
          rationale: null,
          model: null,
        },
      ],
    });
    expect(status).toBe(200);
  });

  test('results sort by score, confidence or doubt, then time, and are paged by `after`', async () => {
    const round = await playBets(service, [
      at(0, false, 100),
      at(1, false, 85),
      at(2, true, 85),
      at(3, true, 99),
      at(4, true, 85),
      at(5, false, 10),
    ]);
    await service.nextHour();
    const { predictions } = await resultsOf(round);
    const order = ['player-4', 'player-3', 'player-5', 'player-6', 'player-2', 'player-1'];
    expect(predictions.map((item: { agent_name: string }) => item.agent_name)).toEqual(order);
    expect(predictions.at(-1)).toMatchObject({ score: -40, is_correct: 0, streak_bonus: 0 });

    const paged = [];
    let query = '?limit=4';
    for (;;) {
      const page = await resultsOf(round, query);
      paged.push(...page.predictions);
      if (page.predictions.length < 4) break;
      query = `?limit=4&after=${page.predictions.at(-1).id}`;
    }
    expect(paged).toEqual(predictions);
    expect((await resultsOf(round, `?after=${predictions.at(-1).id}`)).predictions).toEqual([]);
    expect((await resultsOf(round, '?after=0')).predictions).toEqual(predictions);
  });

  test.each(['-1', '999999', 'x', '', '1.5', '99999999999'])('results refuse after=%s', async (after) => {
    const answer = await service.request('GET', `/api/rounds/1/results?after=${after}`);
    expectRefusal(answer, 400, /after/);
  });
});

describe('rounds without results', () => {
  test('results of the active round get 404 with its end', async () => {
    const { id, end_time } = await currentRound(service);
    expectRefusal(await service.request('GET', `/api/rounds/${id}/results`), 404, new RegExp(`${id}.*${end_time}`));
  });

  test('results of the upcoming round get 404 with its end', async () => {
    const { id } = await currentRound(service);
    expectRefusal(
      await service.request('GET', `/api/rounds/${id + 1}/results`),
      404,
      new RegExp(`${id + 1}.*\\d{4}-\\d\\d-\\d\\d \\d\\d:00:00`),
    );
  });

  test.each(['999999', '2147483647'])('results of the unknown round %s get 404', async (id) => {
    expectRefusal(await service.request('GET', `/api/rounds/${id}/results`), 404, /no round/);
  });

  test.each([
    '0',
    '2147483648',
    '9'.repeat(400),
    'x',
    '-1',
    '1.5',
    '1e1',
    '0x1',
    '%20',
    '1%2F2',
    '+1',
    'null',
    '__proto__',
    '%00',
    '%F0%9F%98%80',
  ])('results of the malformed round %s get 400', async (id) => {
    expectRefusal(await service.request('GET', `/api/rounds/${id}/results`), 400, /round_id/);
  });
});
