import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';
import { buildSchema, Kind, parse } from 'graphql';

import { QUERY_LIMITS } from '../../src/limits.ts';
import { documentCost } from '../graphql/document-cost.ts';

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENTS = join(ROOT, 'dashboard/documents');

/** The page asks no more than two thirds of what anybody may: a field that is added to a list is no refusal. */
const MOST = (QUERY_LIMITS.cost * 2) / 3;

/** The most that pages, frames and pictures give for each variable by which a cost grows, and something for all others. */
const GIVEN: Readonly<Record<string, unknown>> = {
  limit: 100,
  kind: 'day',
  by: ['HOUR_OF_DAY', 'WEEKDAY'],
  orderBy: 'EDGE',
  period: 'alltime',
  name: 'any',
  prediction: 'YES',
  idempotencyKey: 'any',
  rows: [],
};
const GIVEN_IN: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Agents: { orderBy: 'POINTS' },
  RoundCalls: { orderBy: 'PLACE', after: null },
  FrozenBoard: { period: '2026-W47' },
};
/** Of the others, ids and counts, one is as good as any. */
const ANY = 1;

const OPERATIONS = readdirSync(DOCUMENTS)
  .filter((file) => file.endsWith('.graphql'))
  .flatMap((file) => {
    const document = parse(readFileSync(join(DOCUMENTS, file), 'utf8'));
    return document.definitions.flatMap((one) => {
      if (one.kind !== Kind.OPERATION_DEFINITION) return [];
      const name = one.name?.value ?? '';
      const required = (one.variableDefinitions ?? []).filter(({ type }) => type.kind === Kind.NON_NULL_TYPE);
      const names = required.map(({ variable }) => variable.name.value);
      const variables = Object.fromEntries(names.map((each) => [each, GIVEN[each] ?? ANY]));
      return [{ name, document, variables: { ...variables, ...GIVEN_IN[name] } }];
    });
  });

const costOf = documentCost(buildSchema(readFileSync(join(ROOT, 'schema.graphql'), 'utf8')));

test.each(OPERATIONS)('$name costs at most two thirds of the limit', ({ name, document, variables }) => {
  const { used = Number.NaN } = costOf({ document, operationName: name, variables }) ?? {};
  expect(used).toBeLessThanOrEqual(MOST);
});

test('every document of the page is checked', () => {
  expect(OPERATIONS.length).toBeGreaterThan(30);
});
