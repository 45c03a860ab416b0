import { describe, expect, test } from '@jest/globals';

import { CHECKPOINT } from '../support/checkpoint.ts';
import { resolveRound } from '../../src/jobs/resolve/resolve-round.ts';
import { addHours } from '../../src/rules/hours.ts';
import { only } from '../support/arena.ts';
import { playRelative, resolve } from './played-relative.ts';
import { hourAsking, playRound } from './played-round.ts';
import { eventsNow } from '../support/rounds-now.ts';
import { sharedArena } from '../support/shared.ts';

const arena = sharedArena(3);

const NOON = new Date('2026-01-01T12:00:00Z');

describe('resolution', () => {
  test('a resolution sets the outcome, stores the evidence, and scores every prediction', async () => {
    const round = await playRelative(arena);
    await resolve(arena, round);
    expect(
      await only(arena, 'select status, outcome, resolution_value, void_reason, decided_at from rounds where id = $1', [
        round.id,
      ]),
    ).toEqual({
      status: 'resolved',
      outcome: round.choices[0],
      resolution_value: 1,
      void_reason: null,
      decided_at: round.end,
    });
    expect(
      await arena.query(
        'select asset, open, high, low, close, return_pct from round_assets where round_id = $1 order by position',
        [round.id],
      ),
    ).toEqual([
      { asset: round.assets[0], open: '200', high: '203.5', low: '199', close: '202', return_pct: '1.0000' },
      { asset: round.assets[1], open: '0.0800', high: '0.0900', low: '0.0800', close: '0.0804', return_pct: '0.5000' },
    ]);
    const kept = { source: 'scripted', hour_start: round.start, fetched_at: round.end };
    expect(
      await arena.query(
        'select source, asset, hour_start, open, close, fetched_at from candles where round_id = $1 order by open desc',
        [round.id],
      ),
    ).toEqual([
      { ...kept, asset: round.assets[0], open: '200', close: '202' },
      { ...kept, asset: round.assets[1], open: '0.0800', close: '0.0804' },
    ]);
    const scores = await arena.query<{ shown: string }>(
      `select agent_id || ': ' || is_correct || ' ' || score || '+' || streak_bonus || ', place ' || place || ' for ' || arena_points
         || ', ' || pnl_usd || ' USD, Brier ' || brier || ' and ' || reference_brier as shown
       from scores where round_id = $1 order by place`,
      [round.id],
    );
    // Two answers: at 85 percent B = 2 x 0.15^2 = 0.045, P&L = 100 (0.5 - 0.045) / 1.5 = 30.33; below even: no trade.
    expect(scores.map(({ shown }) => shown)).toEqual([
      '1: true 110+0, place 1 for 700, 30.33 USD, Brier 0.0225 and 0.250000',
      '3: true 40+0, place 2 for 200, 0.00 USD, Brier 0.4900 and 0.250000',
      '2: false -20+0, place 3 for 200, -14.67 USD, Brier 0.3600 and 0.250000',
    ]);
  });

  test('a resolution updates the platform’s totals and writes its events in order', async () => {
    const round = await playRelative(arena);
    const before = (await eventsNow(arena)).length;
    await resolve(arena, round);
    expect(
      await only(
        arena,
        `select resolved_rounds, decided_predictions, decided_confidence_sum, newest_resolved_end, boards_updated_at, last_seq
         from platform`,
      ),
    ).toEqual({
      resolved_rounds: 1,
      decided_predictions: 3,
      decided_confidence_sum: 175,
      newest_resolved_end: round.end,
      boards_updated_at: round.end,
      last_seq: before + 2,
    });
    expect(
      await arena.query('select seq, kind, at, round_id, payload from events order by seq offset $1', [before]),
    ).toEqual([
      {
        seq: before + 1,
        kind: 'ROUND_RESOLVED',
        at: round.end,
        round_id: round.id,
        payload: { outcome: round.choices[0], resolutionValue: 1, totalEntries: 3, checkpoint: CHECKPOINT },
      },
      {
        seq: before + 2,
        kind: 'LEADERBOARD_CHANGED',
        at: round.end,
        round_id: round.id,
        payload: { periods: ['daily', 'weekly', 'monthly', 'alltime'] },
      },
    ]);
  });

  test('a resolution of a round without predictions changes no board', async () => {
    const round = await playRound(arena, hourAsking('direction', NOON));
    await resolve(arena, round);
    expect(await only(arena, 'select resolved_rounds, decided_predictions from platform')).toEqual({
      resolved_rounds: 1,
      decided_predictions: 0,
    });
    expect(await arena.query('select 1 from standings union all select 1 from board_places')).toEqual([]);
  });

  test('a resolution of an unknown or running round does nothing', async () => {
    const round = await playRelative(arena);
    const running = await only<{ id: number }>(arena, `select id from rounds where status = 'active'`);
    const before = await arena.contents();
    await resolveRound(arena, 99, { now: round.end });
    await resolveRound(arena, running.id, { now: addHours(round.end, 5) });
    expect(await arena.contents()).toBe(before);
  });
});
