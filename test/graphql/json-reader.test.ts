import { beforeEach, expect, test } from '@jest/globals';
import { sql } from 'kysely';

import type { Statements } from '../../src/database/statements.ts';
import { agentsPageOf } from '../../src/reads/agents.ts';
import { jsonReader, type ReadJson } from '../../src/reads/plan/read-column.ts';
import { wholePageOf } from '../../src/reads/prediction-pages.ts';
import { pageOfIds } from '../support/read-page.ts';

/* Which statements PostgreSQL is given a name for: a connection keeps text and plan of each. */

let names: (string | null)[];
let taken: (readonly unknown[])[];
let readJson: ReadJson;

beforeEach(() => {
  names = [];
  taken = [];
  const statements: Statements = {
    async rows({ name }, values) {
      names.push(name);
      taken.push(values);
      return [];
    },
  };
  readJson = jsonReader(statements);
});

/** Reads a value whose text has about so many characters, `times` times; the name of the last. */
async function nameOf(
  value: string | number,
  { characters = 1, times = 2, origin }: { characters?: number; times?: number; origin?: 'own' } = {},
): Promise<string | null | undefined> {
  for (let time = 0; time < times; time += 1) await readJson(sql.raw(String(value).padEnd(characters)), origin);
  return names.at(-1);
}

async function namesOf(count: number, given: Parameters<typeof nameOf>[1] = {}): Promise<ReadonlySet<unknown>> {
  const found = new Set<unknown>();
  for (let at = 0; at < count; at += 1) found.add(await nameOf(at, given));
  return found;
}

test('a statement has a name from its second execution on', async () => {
  expect(await nameOf(1, { times: 3 })).toBe('callers_0');
  expect(await nameOf(2)).toBe('callers_1');
  expect(names).toEqual([null, 'callers_0', 'callers_0', null, 'callers_1']);
});

test('a long statement never has a name', async () => {
  expect(await nameOf(1, { characters: 16_300 })).toBe('callers_0');
  expect(await nameOf(2, { characters: 16_400, times: 5 })).toBeNull();
});

test('callers’ statements have at most 120 names, also after 300 statements', async () => {
  const given = await namesOf(300);
  expect(given.size).toBe(120);
  expect(given).not.toContain(null);
  expect(given).toContain(await nameOf('the 301st'));
});

test('the name of the least recently used statement is reused', async () => {
  for (let at = 0; at < 120; at += 1) expect(await nameOf(at)).toBe(`callers_${at}`);
  expect(await nameOf(0, { times: 1 })).toBe('callers_0');
  expect(await nameOf('one more')).toBe('callers_1');
  expect(await nameOf(0, { times: 1 })).toBe('callers_0');
  // It comes as if for the first time.
  expect(await nameOf(1, { times: 1 })).toBeNull();
});

test('callers’ statements have names up to 320 KiB in all, and a long one takes several', async () => {
  for (let at = 0; at < 20; at += 1) expect(await nameOf(at, { characters: 16_300 })).toBe(`callers_${at}`);
  expect(await nameOf('next', { characters: 16_300 })).toBe('callers_0');
  expect(await nameOf(2, { characters: 16_300, times: 1 })).toBe('callers_2');
});

test('the service’s own statements keep their names despite callers', async () => {
  const own = await namesOf(80, { origin: 'own' });
  expect(own).toEqual(new Set(Array.from({ length: 80 }, (_, at) => `own_${at}`)));
  await namesOf(300);
  expect(await namesOf(80, { origin: 'own', times: 1 })).toEqual(own);
});

const NOW = new Date('2026-01-01T00:00:00Z');

// Of a limit that is a value PostgreSQL expects a tenth of the table: it then plans each time anew where that is much.
test.each([
  ['all predictions', wholePageOf({ first: 100 }, NOW), []],
  ['all predictions, oldest first', wholePageOf({ first: 100, orderBy: 'OLDEST' }, NOW), []],
  ['agents by points', agentsPageOf({ first: 100, orderBy: 'POINTS' }, NOW), [NOW]],
])('limits are not parameters of the statement for a page of %s', async (_name, page, values) => {
  await readJson(pageOfIds(page, sql`1`).sql);
  expect(taken).toEqual([values]);
});
