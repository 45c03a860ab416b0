import { describe, expect, test } from '@jest/globals';
import { buildSchema, parse } from 'graphql';

import { costMeter } from '../../src/graphql/cost.ts';
import { documentCost } from './document-cost.ts';

const HANDMADE = `
  type Query { item: Item  items(first: Int = 10): ItemConnection!  rows(limit: Int): [Item!]! }
  type ItemConnection { edges: [ItemEdge!]!  nodes: [Item!]!  pageInfo: PageInfo!  totalCount: Int! }
  type ItemEdge { cursor: String!  node: Item! }
  type PageInfo { hasNextPage: Boolean!  endCursor: String }
  type Item { id: Int!  names: [String!]!  parent: Item  items(first: Int = 10): ItemConnection! }
`;

const schema = buildSchema(HANDMADE);
const meter = documentCost(schema);
const costOf = (query: string, variables = {}) => meter({ document: parse(query), variables })?.used;

describe('the cost of a query', () => {
  test('is 1 for each field', () => {
    expect(costOf('{ item { id names parent { id } } }')).toBe(5);
  });

  test('counts the fields of a list once for each item that it may hold', () => {
    expect(costOf('{ items(first: 20) { nodes { id names } } }')).toBe(1 + 20 * 2);
    expect(costOf('{ rows(limit: 7) { id } }')).toBe(1 + 7);
  });

  test('multiplies lists within lists', () => {
    expect(costOf('{ items(first: 20) { nodes { items(first: 10) { nodes { parent { id } } } } } }')).toBe(
      1 + 20 * (1 + 10 * 2),
    );
  });

  test('counts nothing for what only holds a page together', () => {
    const bare = costOf('{ items { nodes { id } } }');
    expect(costOf('{ items { totalCount pageInfo { hasNextPage endCursor } edges { cursor node { id } } } }')).toBe(
      bare,
    );
  });

  test('takes the default of a size that is not given, and of null', () => {
    expect(costOf('{ items { nodes { id } } }')).toBe(11);
    expect(costOf('query ($n: Int) { items(first: $n) { nodes { id } } }', { n: null })).toBe(11);
  });

  test('takes the most for a size without a default', () => {
    expect(costOf('{ rows { id } }')).toBe(1001);
  });

  test('counts a fragment wherever it is spread', () => {
    expect(costOf('{ item { ...F parent { ...F } } } fragment F on Item { id names }')).toBe(6);
  });

  test('leaves out what directives leave out', () => {
    expect(costOf('query ($all: Boolean!) { item { id parent @include(if: $all) { id } } }', { all: false })).toBe(2);
  });

  test('is of the operation that runs, not of all in the document', () => {
    const document = parse('query Small { item { id } } query Large { rows { id } }');
    expect(meter({ document, operationName: 'Small' })?.used).toBe(2);
  });

  test('cannot be hidden behind a variable that makes an argument unusable', () => {
    const document = parse('query ($n: Int! = 5) { rows(limit: $n) { id names } }');
    expect(meter({ document, variables: { n: null } })).toBeNull();
  });
});

test('a list that nothing bounds stops the start', () => {
  const unbounded = buildSchema('type Query { things: [Thing!]! } type Thing { id: Int! }');
  expect(() => costMeter(unbounded)).toThrow(
    'The list Query.things has neither a size argument nor a row in LIST_BOUNDS',
  );
});

test('a page that one field asks for without a size is not taken for a wrapper', () => {
  const loose = buildSchema(`${HANDMADE} extend type Query { all: ItemConnection! }`);
  expect(() => costMeter(loose)).toThrow('The list ItemConnection.edges has neither');
});
