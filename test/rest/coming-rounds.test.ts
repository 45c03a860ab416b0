import { beforeAll, describe, expect, test } from '@jest/globals';

import { type Player, register } from '../support/agents.ts';
import { dataOf } from '../support/asking.ts';
import { playBets } from '../support/outcomes.ts';
import { expectRefusal } from '../support/refusals.ts';
import { currentRound, firstOf, hourAsking } from '../support/rounds.ts';
import { parseCalendar } from './ics.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService(() => ({ start: '2026-01-01T12:10:00Z' }));
let player: Player;

beforeAll(async () => {
  player = await register(service, 'player');
});

async function read(path: string) {
  const { status, body } = await service.request('GET', path);
  expect([path, status]).toEqual([path, 200]);
  return body;
}

describe('one round', () => {
  test('the current round by its id has no outcome and no prices', async () => {
    const round = await currentRound(service);
    const [symbol] = Object.keys(round.assets).map((one) => one.toLowerCase());
    expect((await read(`/api/rounds/${round.id}`)).round).toMatchObject({
      ...round,
      status: 'active',
      outcome: null,
      resolution_value: null,
      decided_at: null,
      [`start_${symbol}_price`]: null,
      starts_at: '2026-01-01T12:00:00.000Z',
      ends_at: '2026-01-01T13:00:00.000Z',
    });
  });

  test('the next round is readable before its hour', async () => {
    const { id } = await currentRound(service);
    expect((await read(`/api/rounds/${id + 1}`)).round).toMatchObject({
      id: id + 1,
      status: 'upcoming',
      starts_at: '2026-01-01T13:00:00.000Z',
    });
  });

  test('a resolved round by its id has everything that its results have', async () => {
    const relative = await hourAsking(service, ({ question_type }) => question_type === 'relative');
    await playBets(service, [{ player, right: true, confidence: 80 }]);
    await service.nextHour();
    const { round: found } = await read(`/api/rounds/${relative.id}`);
    const { round } = await read(`/api/rounds/${relative.id}/results`);
    expect(found).toMatchObject(round);
    expect(found).toMatchObject({ outcome: firstOf(relative.choices), decided_at: service.clock.now().toISOString() });
  });

  test('an unknown round gets 404, and an invalid id 400', async () => {
    expectRefusal(await service.request('GET', '/api/rounds/999999'), 404, /no round 999999/);
    for (const id of ['0', 'x', 'Upcoming', '1.5', '2147483648'])
      expectRefusal(await service.request('GET', `/api/rounds/${id}`), 400, /^round_id must be a whole number from 1/);
  });
});

describe('upcoming rounds', () => {
  test('the next round is returned with its question and the types of later hours', async () => {
    const { id } = await currentRound(service);
    const { round, schedule } = await read('/api/rounds/upcoming');
    expect(round).toMatchObject({ id: id + 1, status: 'upcoming', total_entries: 0, question: expect.any(String) });
    expect(schedule).toEqual((await read('/api/schedule')).schedule);
    expect(schedule[0]).toEqual({
      starts_at: round.starts_at,
      ends_at: round.ends_at,
      question_type: round.question_type,
      assets: Object.keys(round.assets),
    });
  });

  test('upcoming rounds change with the hour, also before any job has run', async () => {
    const before = await read('/api/rounds/upcoming');
    service.clock.set(new Date(Date.parse(before.round.starts_at)));
    const after = await read('/api/rounds/upcoming');
    expect(after.round.id).toBe(before.round.id + 1);
    expect(after.schedule.slice(0, 23)).toEqual(before.schedule.slice(1));
  });
});

describe('schedule', () => {
  test('the schedule has 24 hours by default, and up to a week', async () => {
    const week = (await read('/api/schedule?hours=168')).schedule;
    expect(week).toHaveLength(168);
    expect((await read('/api/schedule')).schedule).toEqual(week.slice(0, 24));
    expect((await read('/api/schedule?hours=1')).schedule).toEqual(week.slice(0, 1));
    const { schedule } = await dataOf(service, '{ schedule(hours: 168) { startTime endTime questionType assets } }');
    expect(week).toEqual(
      schedule.map(({ startTime, endTime, questionType, assets }: Record<string, unknown>) => ({
        starts_at: startTime,
        ends_at: endTime,
        question_type: questionType,
        assets,
      })),
    );
  });

  test.each(['0', '169', '-1', '1.5', 'x', ''])('the schedule refuses hours=%s', async (hours) => {
    for (const path of ['/api/schedule', '/api/schedule.ics']) {
      const answer = await service.request('GET', `${path}?hours=${hours}`);
      expectRefusal(answer, 400, /^hours must be a whole number from 1 to 168 \(got .+\)\.$/);
    }
  });

  test('the calendar has a week of events, one an hour, and an ETag', async () => {
    const { headers, body } = await service.request('GET', '/api/schedule.ics');
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    const week = (await read('/api/schedule?hours=168')).schedule;
    const starts = parseCalendar(body).inside.map(({ properties }) => properties.get('DTSTART'));
    expect(starts).toEqual(week.map(({ starts_at }: { starts_at: string }) => starts_at.replaceAll(/[-:]|\.000/g, '')));
    const again = await service.request('GET', '/api/schedule.ics', {
      headers: { 'if-none-match': headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
    });
    expect(again.status).toBe(304);
  });
});
