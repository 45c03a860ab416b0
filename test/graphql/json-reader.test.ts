import { beforeEach, expect, test } from '@jest/globals';
import { sql } from 'kysely';

import type { Statements } from '../../src/database/statements.ts';
import { agentsPageOf } from '../../src/reads/agents.ts';
import { jsonReader, type ReadJson } from '../../src/reads/sql.ts';
import { nestedPage } from '../../src/reads/nested-page.ts';
import { number } from '../../src/reads/nested.ts';
import { wholePageOf } from '../../src/reads/prediction-pages.ts';

/* Which statements PostgreSQL is given a name for: a connection keeps text and plan of each, and forgets none. */

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
async function nameOf(value: string, characters: number, times = 2): Promise<string | null | undefined> {
  for (let time = 0; time < times; time += 1) await readJson(sql.raw(value.padEnd(characters)));
  return names.at(-1);
}

test('a text has a name from the second time on', async () => {
  expect(await nameOf('1', 1, 3)).toBe('nested_0');
  expect(await nameOf('2', 1)).toBe('nested_1');
  expect(names).toEqual([null, 'nested_0', 'nested_0', null, 'nested_1']);
});

test('a long text never has one', async () => {
  expect(await nameOf('1', 16_300)).toBe('nested_0');
  expect(await nameOf('2', 16_400, 5)).toBeNull();
});

test('texts have names up to 512 KiB in all, and those that have one keep it', async () => {
  for (let at = 0; at < 32; at += 1) expect(await nameOf(String(at), 16_300)).toBe(`nested_${at}`);
  expect(await nameOf('32', 16_300, 3)).toBeNull();
  expect(await nameOf('0', 16_300, 1)).toBe('nested_0');
});

test('no more than 200 texts have one, however short', async () => {
  for (let at = 0; at < 200; at += 1) expect(await nameOf(String(at), 1)).toBe(`nested_${at}`);
  expect(await nameOf('200', 1, 3)).toBeNull();
});

const NOW = new Date('2026-01-01T00:00:00Z');

// Of a limit that is a value PostgreSQL expects a tenth of the table: it then plans each time anew where that is much.
test.each([
  ['all predictions', wholePageOf({ first: 100 }, NOW), []],
  ['all predictions, oldest first', wholePageOf({ first: 100, orderBy: 'OLDEST' }, NOW), []],
  ['agents by points', agentsPageOf({ first: 100, orderBy: 'POINTS' }, NOW), [NOW]],
])('no limit is a value of the statement of a page of %s', async (_name, { list, page }, values) => {
  const selected = [{ key: 'nodes', name: 'nodes', args: {}, selected: [] }];
  const nested = nestedPage<never>(list, page, { rowName: 'Row', rowOf: () => number(sql`1`), selected });
  await readJson(nested?.sql ?? sql`null`);
  expect(taken).toEqual([values]);
});
