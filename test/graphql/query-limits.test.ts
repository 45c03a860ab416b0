import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { assertObjectType, getIntrospectionQuery, getNamedType, isLeafType } from 'graphql';

import { costMeter } from '../../src/graphql/cost.ts';
import { documentChecks } from '../../src/graphql/document-transport.ts';
import { openDocuments } from '../../src/graphql/documents.ts';
import { QUERY_LIMITS } from '../../src/limits.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';
import { startService, type TestService } from '../support/service.ts';

const SCHEMA = makeSchema();

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const ask = (query: string, accept = '*/*', variables?: Readonly<Record<string, unknown>>) =>
  service.request('POST', '/graphql', { body: { query, variables }, headers: { accept } });

const repeat = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_, at) => item(at)).join(' ');

/** Some fields of a type that hold plain values. */
const leavesOf = (type: string): string =>
  Object.values(assertObjectType(SCHEMA.getType(type)).getFields())
    .flatMap((field) => (isLeafType(getNamedType(field.type)) ? [field.name] : []))
    .slice(0, 16)
    .join(' ');

const CYCLE = ['round', 'predictions(first: 1)', 'nodes'];

/** Fields of a round, `depth` of them inside one another. */
function nested(depth: number): string {
  const around = Array.from({ length: depth - 1 }, (_, at) => CYCLE[(at + 1) % CYCLE.length] ?? '');
  const last = { round: 'id', 'predictions(first: 1)': '__typename', nodes: 'id' }[around.at(-1) ?? ''] ?? 'id';
  return [...around, last].join(' { ') + ' }'.repeat(depth - 1);
}

const spreads = (doublings: number): string =>
  `{ currentRound { ...F0 } } ${repeat(doublings, (at) => `fragment F${at} on Round { ...F${at + 1} ...F${at + 1} }`)}
   fragment F${doublings} on Round { id }`;

/** A fragment of many different fields, at so many places. */
const spreadAt = (places: number): string =>
  `{ currentRound { predictions(first: 1) { nodes { ${repeat(places, (at) => `a${at}: round { ...R }`)} } } } }
   fragment R on Round { ${leavesOf('Round')} predictions(first: 1) { nodes { ...P } } }
   fragment P on Prediction { ${leavesOf('Prediction')} agent { ${leavesOf('Agent')} } round { ${leavesOf('Round')} } }`;

/** A document that is at a limit, one beyond it, and what the second comes to. */
const CASES = [
  {
    limit: 'tokens',
    within: `{ rounds(status: [${repeat(QUERY_LIMITS.tokens - 15, () => 'void')}]) { nodes { id } } }`,
    beyond: `{ rounds(status: [${repeat(QUERY_LIMITS.tokens - 14, () => 'void')}]) { nodes { id } } }`,
    words: 'tokens 2,001, at most 2,000',
    found: 2001,
  },
  {
    limit: 'depth',
    within: `{ currentRound { ${nested(11)} } }`,
    beyond: `{ currentRound { ${nested(12)} } }`,
    words: 'depth 13, at most 12',
    found: 13,
  },
  {
    limit: 'aliases',
    within: `{ currentRound { ${repeat(30, (at) => `a${at}: id`)} } }`,
    beyond: `{ currentRound { ${repeat(31, (at) => `a${at}: id`)} } }`,
    words: 'aliases 31, at most 30',
    found: 31,
  },
  {
    limit: 'directives',
    within: `{ currentRound { ${repeat(30, () => 'id @skip(if: false)')} } }`,
    beyond: `{ currentRound { ${repeat(31, () => 'id @skip(if: false)')} } }`,
    words: 'directives 31, at most 30',
    found: 31,
  },
  {
    limit: 'rootFields',
    within: `{ ${repeat(13, (at) => `a${at}: currentRound { id }`)} }`,
    beyond: `{ ...R } fragment R on Query { ${repeat(14, (at) => `a${at}: currentRound { id }`)} }`,
    words: 'root fields 14, at most 13',
    found: 14,
  },
  {
    limit: 'repeats',
    within: `{ currentRound { ${repeat(101, () => 'id')} } }`,
    beyond: `{ currentRound { ...R } } fragment R on Round { ${repeat(102, () => 'id')} }`,
    words: 'repeated fields 101, at most 100',
    found: 101,
  },
  {
    limit: 'fragments',
    within: `{ currentRound { ${repeat(50, (at) => `...F${at}`)} } } ${repeat(50, (at) => `fragment F${at} on Round { id }`)}`,
    beyond: `{ currentRound { ${repeat(51, (at) => `...F${at}`)} } } ${repeat(51, (at) => `fragment F${at} on Round { id }`)}`,
    words: 'fragments 51, at most 50',
    found: 51,
  },
  {
    limit: 'selections',
    within: spreads(7),
    beyond: spreadAt(30),
    words: 'selections 2,011, at most 2,000',
    found: 2011,
  },
  {
    limit: 'cost',
    within: '{ round(id: 1) { entries(limit: 1000) { id agentName confidence } } }',
    beyond: '{ rounds(first: 100) { nodes { entries(limit: 200) { id agentName } } } }',
    words: 'cost 42,001, at most 10,000',
    found: 42_001,
  },
] as const;

describe.each(CASES)('limit of $limit', ({ limit, within, beyond, words, found }) => {
  test('a query within the limit is answered', async () => {
    const { status, body } = await ask(within);
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
  });

  test.each(['*/*', 'application/json', 'application/graphql-response+json'])(
    'a query beyond the limit gets 400 with the excess, for Accept %s',
    async (accept) => {
      const { status, body } = await ask(beyond, accept);
      expect({ status, body }).toEqual({
        status: 400,
        body: {
          errors: [
            expect.objectContaining({
              message: `The query asks for too much: ${words}.`,
              extensions: {
                code: 'BAD_REQUEST',
                reason: 'query_too_large',
                excess: { name: limit, found, most: QUERY_LIMITS[limit] },
                limit: { name: limit, found, most: QUERY_LIMITS[limit] },
              },
            }),
          ],
        },
      });
    },
  );
});

test.each([
  ['depth', 13, `{ currentRound { ...A } } fragment A on Round { ${nested(12)} }`],
  ['aliases', 2 ** 49, spreads(49).replace('{ id }', '{ one: id }')],
  ['directives', 2 ** 49, spreads(49).replace('{ id }', '{ id @skip(if: false) }')],
  ['depth', 13, `{ currentRound { ...A } } fragment A on Round { ${nested(12)} ...A }`],
] as const)('%s of %i counts through fragments wherever they are spread', async (name, found, query) => {
  const { status, body } = await ask(query);
  const { excess, limit } = body.errors[0].extensions;
  const expected = { name, found, most: QUERY_LIMITS[name] };
  expect({ status, excess, limit }).toEqual({ status: 400, excess: expected, limit: expected });
});

test.each([
  ['root fields', repeat(400, () => 'currentRound { id }')],
  [
    'fields of a fragment that nobody spreads',
    `currentRound { id } } fragment R on Round { ${repeat(1900, () => 'id')}`,
  ],
])('many %s are refused before validation compares them', (_what, fields) => {
  // Beside the limit validation would tell a second thing: that there is no such field.
  const checked = documentChecks(openDocuments(SCHEMA, costMeter(SCHEMA)))({
    query: `{ nothing ${fields} }`,
  });
  expect(checked).toEqual([
    expect.objectContaining({ message: expect.stringMatching(/^The query asks for too much/) }),
  ]);
});

describe('query within the limits', () => {
  test('a query within the limits gets its cost and the rest', async () => {
    const { body } = await ask(
      '{ rounds(first: 20) { nodes { id question assets { symbol } } pageInfo { endCursor } } }',
    );
    const used = 1 + 20 * (2 + 1 + 8);
    expect(body.extensions).toEqual({ cost: { used, most: 10_000, left: 10_000 - used } });
  });

  test('a query’s cost depends on its variables', async () => {
    const query = 'query ($n: Int = 3) { rounds(first: $n) { nodes { id } } }';
    expect((await ask(query)).body.extensions.cost.used).toBe(4);
    expect((await ask(query, '*/*', { n: 50 })).body.extensions.cost.used).toBe(51);
  });

  test('the standard introspection query is within the limits, in each of its forms', async () => {
    const query = getIntrospectionQuery({
      descriptions: true,
      inputValueDeprecation: true,
      oneOf: true,
      specifiedByUrl: true,
    });
    const { status, body } = await ask(query);
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
    expect(body.extensions.cost.left).toBeGreaterThan(QUERY_LIMITS.cost / 10);
  });
});

test('a page size out of bounds has its own error message', async () => {
  const { body } = await ask('{ rounds(first: 100000) { nodes { id question status } } }');
  expect(body.errors[0].message).toMatch(/^first must be a whole number from 1 to 100 \(got 100000/);
});
