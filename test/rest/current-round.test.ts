import { describe, expect, test } from '@jest/globals';

import { predict, register } from '../support/agents.ts';
import { INTEGER, nullOr, FIGURE, oneOf, TEXT } from './formats.ts';
import { sharedService } from '../support/shared.ts';

const SYMBOLS = ['BTC', 'ETH', 'SOL', 'AVAX', 'DOGE', 'ADA', 'LINK', 'DOT'];

/** Format, choices and assets that decide, of each type (decisions: questions). */
const TYPES: Readonly<Record<string, readonly [format: string, choices: number, assets: number]>> = {
  relative: ['choice', 2, 2],
  best_performer: ['choice', 8, 8],
  worst_performer: ['choice', 8, 8],
  podium: ['choice', 4, 4],
  volatility: ['choice', 2, 2],
  direction: ['boolean', 2, 1],
  threshold: ['boolean', 2, 1],
  touch: ['boolean', 2, 1],
  magnitude: ['boolean', 2, 1],
  range: ['boolean', 2, 1],
  momentum: ['boolean', 2, 1],
  beat_market: ['boolean', 2, 8],
  breadth: ['boolean', 2, 8],
};

const PARAMS = {
  subject: nullOr(oneOf(...SYMBOLS)),
  operator: nullOr(oneOf('>', '>=', '<=', 'within', 'same_sign')),
  threshold_pct: nullOr(FIGURE),
  n: nullOr(INTEGER),
};

const service = sharedService(() => ({ start: '2026-01-01T12:10:00Z' }));

async function current() {
  return (await service.request('GET', '/api/rounds/current')).body;
}

describe('current round', () => {
  test('the first start in mid-hour has a complete current round', async () => {
    const { status, body } = await service.request('GET', '/api/rounds/current');
    expect(body).toEqual({
      round: {
        id: INTEGER,
        question: TEXT,
        question_type: oneOf(...Object.keys(TYPES)),
        prediction_format: oneOf('choice', 'boolean'),
        choices: expect.any(Array),
        params: PARAMS,
        assets: expect.any(Object),
        start_time: '2026-01-01 12:00:00',
        end_time: '2026-01-01 13:00:00',
        status: 'active',
        total_entries: 0,
        arena_points_pool: 2500,
        vertical_id: 1,
        source: 'scripted',
        starts_at: '2026-01-01T12:00:00.000Z',
        ends_at: '2026-01-01T13:00:00.000Z',
        rules_version: 2,
      },
      time_remaining_seconds: 3000,
    });
    expect(status).toBe(200);
  });

  test('13 hours have all 13 question types, each in its format', async () => {
    const types = new Set<string>();
    for (let hours = 0; hours < 13; hours += 1) {
      const { round } = await current();
      types.add(round.question_type);
      const shape = [round.prediction_format, round.choices.length, Object.keys(round.assets).length];
      expect([round.question_type, shape]).toEqual([round.question_type, TYPES[round.question_type]]);
      const choices = round.prediction_format === 'boolean' ? ['YES', 'NO'] : Object.keys(round.assets);
      expect(round.choices).toEqual(choices);
      expect(round.params).toEqual(PARAMS);
      for (const [symbol, provided] of Object.entries(round.assets)) {
        expect(SYMBOLS).toContain(symbol);
        expect(provided).toEqual(TEXT);
        if (round.prediction_format === 'choice') expect(round.question).toContain(symbol);
      }
      expect(round.question).toContain(round.start_time.slice(0, 16));
      expect(round.question).toContain(round.end_time.slice(0, 16));
      await service.nextHour();
    }
    expect([...types].toSorted()).toEqual(Object.keys(TYPES).toSorted());
  });

  test.each([
    ['00:00.000', 3600],
    ['00:00.001', 3599],
    ['59:59.000', 1],
    ['59:59.999', 0],
  ])('the round at %s past the hour has %i whole seconds left', async (past, seconds) => {
    service.clock.set(`2026-01-03T05:${past}Z`);
    const { round, time_remaining_seconds } = await current();
    expect([round.start_time, time_remaining_seconds]).toEqual(['2026-01-03 05:00:00', seconds]);
  });

  test('the new hour’s round is current from the first instant, before any job has run', async () => {
    service.clock.set('2026-01-03T06:59:59.999Z');
    const before = await current();
    service.clock.set('2026-01-03T07:00:00.000Z');
    const after = await current();
    expect([before.round.start_time, after.round.start_time]).toEqual(['2026-01-03 06:00:00', '2026-01-03 07:00:00']);
    expect(after.round).toMatchObject({ status: 'active', total_entries: 0 });
  });

  test('total_entries counts each accepted prediction', async () => {
    for (const name of ['one', 'two']) await predict(service, await register(service, `entry-${name}`));
    expect((await current()).round.total_entries).toBe(2);
  });
});
