import { expect, test } from '@jest/globals';

import { calendarOf } from '../../src/rest/calendar.ts';
import { QUESTION_TYPES } from '../../src/rules/questions/question.ts';
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
  expect([event?.name, textOf(event?.properties.get('SUMMARY'))]).toEqual([
    'VEVENT',
    'Hourcast: Which gains more? BTC, ETH',
  ]);
});

test.each(QUESTION_TYPES)('an hour of the type %s is named by a question for people', (question_type) => {
  const [event] = parseCalendar(calendarOf({ schedule: [{ ...hour(['BTC']), question_type }] })).inside;
  const [summary, text, category] = ['SUMMARY', 'DESCRIPTION', 'CATEGORIES'].map((name) =>
    textOf(event?.properties.get(name)),
  );
  expect(summary).toMatch(/^Hourcast: [A-Z][a-z, ]+\? BTC$/);
  expect(text).toContain(summary?.slice('Hourcast: '.length, -' BTC'.length));
  expect(category).toBe(question_type.replace('_', ' '));
});

test('long lines are folded at 75 octets, and no character is split', () => {
  const odd = ['€'.repeat(40), 'semi;colon', 'back\\slash', 'x'.repeat(200)];
  const [event] = parseCalendar(calendarOf({ schedule: [hour(odd)] })).inside;
  expect(textOf(event?.properties.get('SUMMARY'))).toBe(`Hourcast: Which gains more? ${odd.join(', ')}`);
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
