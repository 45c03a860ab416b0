import { expect, test } from '@jest/globals';

import { outageLog } from '../../src/app/open-database.ts';

/** An outage log whose lines are kept, at a time that the test sets. */
function kept() {
  const lines: string[] = [];
  const time = { ms: 0 };
  const line = (level: string) => (fields: object, message?: string) =>
    void lines.push(`${level}: ${message}${'seconds' in fields ? ` after ${String(fields.seconds)} s` : ''}`);
  const log = { error: line('error'), warn: line('warn') };
  return { lines, time, ...outageLog(log, () => time.ms) };
}

const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const OUT = 'error: The database is out of reach; requests that need it are answered 503';

test('an outage is logged once, however much fails, and its end once', () => {
  const { lines, time, report, reached } = kept();
  for (time.ms = 0; time.ms <= 60_000; time.ms += 2_000) report(refused());
  time.ms = 63_000;
  reached();
  reached();
  expect(lines).toEqual([OUT, 'warn: The database is back after 60 s']);
});

test('an outage lasts while some of the work fails', () => {
  const { lines, time, report, reached } = kept();
  for (; time.ms <= 20_000; time.ms += 1_000) {
    report(refused());
    time.ms += 1_000;
    reached();
  }
  expect(lines).toEqual([OUT]);
});

test('the next outage is logged again', () => {
  const { lines, time, report, reached } = kept();
  for (const _ of [1, 2]) {
    report(refused());
    time.ms += 3_000;
    reached();
  }
  expect(lines).toEqual([OUT, 'warn: The database is back after 0 s', OUT, 'warn: The database is back after 0 s']);
});

test('another fault is logged each time, also during an outage', () => {
  const { lines, report } = kept();
  report(new Error('a fault'));
  report(refused());
  report(new Error('a fault'));
  expect(lines).toEqual(['error: Something failed', OUT, 'error: Something failed']);
});

test('work cancelled by the database is part of an outage, and a fault otherwise', () => {
  const stopped = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  const { lines, report } = kept();
  report(stopped);
  report(refused());
  report(stopped);
  report(new Error('could not renew lock for job turn-1'));
  expect(lines).toEqual(['error: Something failed', OUT]);
});
