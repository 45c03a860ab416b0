import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';

import { TABLED, TABLES, withTables } from '../../../scripts/doc-tables.ts';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

test.each(TABLED)('the tables of %s are current; npm run docs:tables writes them', (path) => {
  expect(read(path)).toBe(withTables(read(path)));
});

test('each table is in a document', () => {
  const named = TABLED.flatMap((path) => [...read(path).matchAll(/<!-- table: (\w+) -->/g)].map(([, name]) => name));
  expect(new Set(named)).toEqual(new Set(Object.keys(TABLES)));
  expect(named).toHaveLength(Object.keys(TABLES).length);
});

const { grants: _statements, ...ROWS } = TABLES;

test.each(Object.entries(ROWS))('each row of the table of %s is one line', (_name, table) => {
  expect(
    table()
      .split('\n')
      .filter((line) => !/^\|.*\|$/.test(line)),
  ).toEqual([]);
});
