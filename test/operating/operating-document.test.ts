import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readRedisUrl } from '../../src/backplane/redis/address.ts';
import { processMetrics } from '../../src/operating/metrics.ts';
import { startService, type TestService } from '../support/service.ts';

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8');

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

function found(pattern: RegExp, text = DOCUMENT): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '');
}

test('every alarm of docs/operating.md is about a metric that there is, and is explained', async () => {
  const alarms = found(/- \{ alert: (\w+), expr: '[^']+'/g);
  expect(alarms.length).toBe(found(/alert: (\w+)/g).length);
  const { body } = await service.request('GET', '/metrics');
  const known = found(/^# TYPE (\w+) /gm, `${String(body)}\n${await processMetrics().metrics()}`);
  const named = found(/\b((?:hourcast|nodejs|process)_\w+)/g, found(/expr: '([^']+)'/g).join(' '));
  expect(named.filter((name) => !known.includes(name.replace(/_bucket$/, '')))).toEqual([]);
  const explained = found(/^\| ([A-Z][A-Za-z, ]+) \|/gm).flatMap((cell) => cell.split(', '));
  expect(alarms.filter((alarm) => !explained.includes(alarm.replace('Hourcast', '')))).toEqual([]);
});

test('every address of Redis in docs/operating.md can be read', () => {
  const addresses = found(/`(rediss?:\/\/[^`]+)`/g);
  expect(addresses.length).toBeGreaterThan(1);
  expect(addresses.filter((address) => readRedisUrl(address) === null)).toEqual([]);
});
