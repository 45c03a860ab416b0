import { expect, test } from '@jest/globals';

import { calendarOf } from '../../src/rest/calendar.ts';
import { parseCalendar, textOf } from './ics.ts';

/** An hour of the schedule, as the table's document gives it. */
function hour(assets: readonly string[], starts_at = '2026-01-01T13:00:00.000Z', ends_at = '2026-01-01T14:00:00.000Z') {
  return { starts_at, ends_at, question_type: 'relative', assets };
}

test('an hour is an event in UTC that does not block time', () => {
  const calendar = parseCalendar(calendarOf({ schedule: [hour(['BTC', 'ETH'])] }));
  expect([calendar.name, calendar.properties.get('VERSION')]).toEqual(['VCALENDAR', '2.0']);
  expect(calendar.properties.get('PRODID')).toMatch(/\S/);
  const [event] = calendar.inside;
  expect(Object.fromEntries(event?.properties ?? [])).toMatchObject({
    UID: 'round-20260101T130000Z@hourcast',
    DTSTAMP: '20251225T130000Z',
    DTSTART: '20260101T130000Z',
    DTEND: '20260101T140000Z',
    TRANSP: 'TRANSPARENT',
  });
  expect([event?.name, textOf(event?.properties.get('SUMMARY'))]).toEqual(['VEVENT', 'Hourcast: relative BTC, ETH']);
});

test('long lines are folded at 75 octets, and no character is split', () => {
  const odd = ['€'.repeat(40), 'semi;colon', 'back\\slash', 'x'.repeat(200)];
  const [event] = parseCalendar(calendarOf({ schedule: [hour(odd)] })).inside;
  expect(textOf(event?.properties.get('SUMMARY'))).toBe(`Hourcast: relative ${odd.join(', ')}`);
});

function uids(schedule: readonly object[]) {
  return parseCalendar(calendarOf({ schedule })).inside.map(({ properties }) => properties.get('UID'));
}

test('hours are sorted, each with a UID that stays the same between answers', () => {
  const hours = [
    hour(['BTC']),
    hour(['ETH'], '2026-01-01T14:00:00.000Z', '2026-01-01T15:00:00.000Z'),
    hour(['SOL'], '2026-01-01T15:00:00.000Z', '2026-01-01T16:00:00.000Z'),
  ];
  expect(new Set(uids(hours)).size).toBe(3);
  expect(uids(hours.slice(1))).toEqual(uids(hours).slice(1));
});
