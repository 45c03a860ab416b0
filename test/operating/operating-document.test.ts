import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

import { readRedisUrl } from '../../src/backplane/redis/address.ts';
import { ADMIN_ACTIONS, ADMIN_LISTS } from '../../src/rules/admin-actions.ts';
import { processMetrics } from '../../src/operating/metrics.ts';
import { startService, type TestService } from '../support/service.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

const DOCUMENT = read('docs/operating.md');
const REFERENCE = read('docs/operating-reference.md');

const ALARMS: readonly { readonly alert: string; readonly expr: string }[] = parse(read('deploy/alarms.yaml')).groups[0]
  .rules;

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

const PANELS: readonly Panel[] = JSON.parse(read('deploy/grafana.json')).panels;

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

function found(pattern: RegExp, text: string): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '');
}

test('every alarm and panel uses existing metrics', async () => {
  const { body } = await service.request('GET', '/metrics');
  const known = found(/^# TYPE (\w+) /gm, `${String(body)}\n${await processMetrics().metrics()}`);
  const expressions = [...ALARMS, ...PANELS.flatMap(({ targets }) => targets)].map(({ expr }) => expr);
  expect(expressions.length).toBeGreaterThan(25);
  for (const expr of expressions) {
    const named = found(/\b((?:hourcast|nodejs|process)_\w+)/g, expr).map((name) => name.replace(/_bucket$/, ''));
    expect([expr, named.filter((name) => !known.includes(name))]).toEqual([expr, []]);
  }
});

test('alarms and panels take the greatest of a metric that counts for the whole service', () => {
  const ofService = found(/`(hourcast_\w+)/g, /^.* count for the whole service: use `max`/m.exec(REFERENCE)?.[0] ?? '');
  expect(ofService).toHaveLength(3);
  const queries = [...ALARMS, ...PANELS.flatMap(({ targets }) => targets)].map(({ expr }) => expr);
  const expressions = queries.filter((expr) => ofService.some((name) => expr.includes(name)));
  expect(expressions).toHaveLength(3);
  for (const expr of expressions) expect(expr).toMatch(/^max\b/);
});

test('docs/operating.md explains exactly the existing alarms', () => {
  const explained = found(/^\| ([A-Z][A-Za-z, ]+) \|/gm, DOCUMENT.split('## Alarms')[1]?.split(/^## /m)[0] ?? '');
  const names = explained.flatMap((cell) => cell.split(', ')).map((name) => `Hourcast${name}`);
  expect(names.toSorted()).toEqual(ALARMS.map(({ alert }) => alert).toSorted());
});

test('docs/operating.md names the job of the alarms', () => {
  const jobs = ALARMS.flatMap(({ expr }) => found(/job="(\w+)"/g, expr));
  expect(jobs.length).toBeGreaterThan(0);
  for (const job of jobs) expect(DOCUMENT).toContain(`\`job_name: ${job}\``);
});

test('every Redis address in docs/operating.md is valid', () => {
  const addresses = found(/`(rediss?:\/\/[^`]+)`/g, DOCUMENT);
  expect(addresses.length).toBeGreaterThan(1);
  expect(addresses.filter((address) => readRedisUrl(address) === null)).toEqual([]);
});

test('docs/operating-reference.md has every operators’ action and list, by command and HTTP', () => {
  for (const { name, of } of ADMIN_ACTIONS) {
    const row = REFERENCE.split('\n').find((line) => line.startsWith(`| ${name} | \`${name} <id> `));
    expect(row).toContain(`\`POST /admin/${of}/{id}/${name}\``);
  }
  for (const { name } of ADMIN_LISTS) expect(REFERENCE).toMatch(new RegExp(`\`${name}[ \`].*GET /admin/${name}`));
});

test('docs/operating.md changes data by SQL only after a disaster', () => {
  const everyday = DOCUMENT.slice(DOCUMENT.indexOf('## Everyday work'));
  expect(everyday).not.toMatch(/\bupdate \w+ set\b/);
  expect(DOCUMENT).not.toContain('psql');
});
