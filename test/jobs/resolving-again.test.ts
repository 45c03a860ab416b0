import { describe, expect, test } from '@jest/globals';

import { only } from '../support/arena.ts';
import { playRelative, resolve } from './played-relative.ts';
import { assetOf, type PlayedRound, playRound } from './played-round.ts';
import { eventsNow } from '../support/rounds-now.ts';
import { sharedArena } from '../support/shared.ts';

const arena = sharedArena(3);

describe('second resolution', () => {
  test('a second resolution changes nothing, also with other candles', async () => {
    const round = await playRelative(arena);
    await resolve(arena, round);
    const after = await arena.contents();
    arena.market.script(assetOf(round), round.start, ['200', '200', '100', '100']);
    await resolve(arena, round);
    await resolve(arena, round, 30);
    expect(await arena.contents()).toBe(after);
  });

  test('10 concurrent resolutions apply once', async () => {
    const round = await playRelative(arena);
    await Promise.all(Array.from({ length: 10 }, () => resolve(arena, round)));
    expect(
      await arena.query('select agent_id, alltime_competitions, alltime_points from standings order by 1'),
    ).toEqual([
      { agent_id: 1, alltime_competitions: 1, alltime_points: 110 },
      { agent_id: 2, alltime_competitions: 1, alltime_points: -20 },
      { agent_id: 3, alltime_competitions: 1, alltime_points: 40 },
    ]);
    expect((await eventsNow(arena)).filter((event) => event.includes('ROUND_RESOLVED'))).toHaveLength(1);
    expect(await only(arena, 'select resolved_rounds, decided_predictions from platform')).toEqual({
      resolved_rounds: 1,
      decided_predictions: 3,
    });
  });
});

/** All that a resolution so many hours after the end leaves, but the times at which it ran. */
async function decided(afterHours: number): Promise<object> {
  await arena.reset();
  const round = await playRelative(arena);
  await resolve(arena, round, afterHours);
  return {
    rounds: await arena.query('select status, outcome, resolution_value from rounds where id = $1', [round.id]),
    prices: await arena.query('select * from round_assets order by 1, 2'),
    candles: await arena.query('select asset, hour_start, open, high, low, close, volume from candles order by asset'),
    scores: await arena.query('select * from scores order by 1, 2'),
    standings: await arena.query('select * from standings order by 1'),
  };
}

test('a service that was down for days gives the outcomes and scores of one on time', async () => {
  expect(await decided(200)).toEqual(await decided(0));
});

test('rounds resolved concurrently all count', async () => {
  const starts = Array.from({ length: 8 }, (_, ahead) => new Date(Date.UTC(2026, 0, 1, ahead)));
  const rounds: PlayedRound[] = [];
  for (const start of starts) {
    rounds.push(
      await playRound(arena, start, [
        [1, 0, 90],
        [2, 1, 40],
      ]),
    );
  }
  await Promise.all(rounds.map((round) => resolve(arena, round)));
  const standings = await arena.query(
    'select agent_id, alltime_points as points, daily_competitions as competitions from standings order by 1',
  );
  expect(standings).toEqual(
    await arena.query(
      'select agent_id, sum(score + streak_bonus)::int as points, count(*)::int as competitions from scores group by 1 order by 1',
    ),
  );
  expect(standings).toHaveLength(2);
  expect(await only(arena, 'select resolved_rounds, decided_predictions from platform')).toEqual({
    resolved_rounds: 8,
    decided_predictions: 16,
  });
});
