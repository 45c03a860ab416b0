import { describe, expect, test } from '@jest/globals';
import { assert, date, property } from 'fast-check';
import { minuteOf } from '../../../src/market/replay/candle-row.ts';

describe('timestamps', () => {
  test('a timestamp is the minute that Date parses', () => {
    const noInvalidDate = true;
    assert(
      property(date({ min: new Date(0), max: new Date('6000-01-01'), noInvalidDate }), (time) => {
        const minute = Math.floor(time.getTime() / 60_000);
        const text = new Date(minute * 60_000).toISOString().replace('.000Z', 'Z');
        return minuteOf(text) === minute;
      }),
    );
  });

  test.each(['2024-02-29', '2000-02-29', '2023-12-31', '1970-01-01'])(
    'the timestamp of the day %s is accepted',
    (day) => {
      expect(minuteOf(`${day}T00:00:00Z`)).toBe(Date.parse(day) / 60_000);
    },
  );

  test.each([
    '2023-02-29T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '2023-04-31T00:00:00Z',
    '2023-00-10T00:00:00Z',
    '2023-13-10T00:00:00Z',
    '2023-01-00T00:00:00Z',
    '2023-01-01T24:00:00Z',
    '2023-01-01T00:60:00Z',
    '2023-01-01T00:00:01Z',
    '2023-01-01T00:00:00',
    '2023-01-01T00:00:00+',
    '1969-12-31T23:59:00Z',
    '',
  ])('the timestamp %j is refused', (text) => {
    expect(minuteOf(text)).toBeNaN();
  });
});
