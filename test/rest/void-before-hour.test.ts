import { beforeAll, describe, expect, test } from '@jest/globals';

import { act, TOKEN } from '../operating/admin.ts';
import { dataOf } from '../support/asking.ts';
import { currentRound } from '../support/rounds.ts';
import { parseCalendar } from './ics.ts';
import { sharedService } from '../support/shared.ts';

const NEXT = '2026-01-01T13:00:00.000Z';
const AFTER = '2026-01-01T14:00:00.000Z';

const service = sharedService(() => ({ adminToken: TOKEN, start: '2026-01-01T12:10:00Z' }));
let next: number;

beforeAll(async () => {
  next = (await currentRound(service)).id + 1;
  // Asked for before, so that an answer that is kept is an answer to forget.
  expect([await firstScheduled(), await recentIds()]).toEqual([NEXT, []]);
  await act(service, 'void', next, 'Its prices will be wrong.');
});

async function read(path: string) {
  return (await service.request('GET', path)).body;
}

async function firstScheduled(): Promise<string> {
  return (await read('/api/schedule')).schedule[0].starts_at;
}

async function recentIds(): Promise<number[]> {
  return (await read('/api/rounds/recent')).rounds.map(({ id }: { id: number }) => id);
}

async function endedIds(ended: boolean): Promise<number[]> {
  const { rounds } = await dataOf(service, `{ rounds(ended: ${ended}) { nodes { id } } }`);
  return rounds.nodes.map(({ id }: { id: number }) => id);
}

describe('round voided before its hour', () => {
  test('a round voided before its hour is not among the ended ones', async () => {
    expect(await recentIds()).toEqual([]);
    expect(await endedIds(true)).toEqual([]);
    expect(await endedIds(false)).toContain(next);
  });

  test('a round voided before its hour is in no schedule', async () => {
    const upcoming = await read('/api/rounds/upcoming');
    expect([upcoming.round.starts_at, upcoming.schedule[0].starts_at]).toEqual([AFTER, AFTER]);
    expect(await firstScheduled()).toBe(AFTER);
    const { schedule } = await dataOf(service, '{ schedule(hours: 2) { startTime } }');
    expect(schedule).toEqual([{ startTime: AFTER }]);
    const { inside } = parseCalendar(await read('/api/schedule.ics'));
    expect(inside.map(({ properties }) => properties.get('DTSTART')).slice(0, 2)).toEqual([
      '20260101T140000Z',
      '20260101T150000Z',
    ]);
    expect(inside).toHaveLength(167);
  });

  test('a calendar of the void hour alone is empty', async () => {
    expect(parseCalendar(await read('/api/schedule.ics?hours=1')).inside).toEqual([]);
  });

  test('the void round is among the recent ones once its hour is over', async () => {
    await service.nextHour();
    expect(await recentIds()).toEqual([next - 1]);
    await service.nextHour();
    expect(await recentIds()).toEqual([next, next - 1]);
    expect(await endedIds(true)).toEqual([next, next - 1]);
  });
});
