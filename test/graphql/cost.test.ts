import { describe, expect, test } from '@jest/globals';
import { buildSchema, parse } from 'graphql';

import { costMeter } from '../../src/graphql/cost.ts';
import { compiledDocument } from '../../src/graphql/operation.ts';
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

describe('query cost', () => {
  test('each field costs 1', () => {
    expect(costOf('{ item { id names parent { id } } }')).toBe(5);
  });

  test('fields of a list cost once for each possible item', () => {
    expect(costOf('{ items(first: 20) { nodes { id names } } }')).toBe(1 + 20 * 2);
    expect(costOf('{ rows(limit: 7) { id } }')).toBe(1 + 7);
  });

  test('lists within lists multiply their cost', () => {
    expect(costOf('{ items(first: 20) { nodes { items(first: 10) { nodes { parent { id } } } } } }')).toBe(
      1 + 20 * (1 + 10 * 2),
    );
  });

  test('wrappers of a page cost nothing', () => {
    const bare = costOf('{ items { nodes { id } } }');
    expect(costOf('{ items { totalCount pageInfo { hasNextPage endCursor } edges { cursor node { id } } } }')).toBe(
      bare,
    );
  });

  test('a missing or null page size costs its default', () => {
    expect(costOf('{ items { nodes { id } } }')).toBe(11);
    expect(costOf('query ($n: Int) { items(first: $n) { nodes { id } } }', { n: null })).toBe(11);
  });

  test('a size without a default costs its maximum', () => {
    expect(costOf('{ rows { id } }')).toBe(1001);
  });

  test('a fragment costs wherever it is spread', () => {
    expect(costOf('{ item { ...F parent { ...F } } } fragment F on Item { id names }')).toBe(6);
  });

  test('fields that directives exclude cost nothing', () => {
    expect(costOf('query ($all: Boolean!) { item { id parent @include(if: $all) { id } } }', { all: false })).toBe(2);
  });

  test('the cost of a kept document follows every variable of a directive or a size', () => {
    const document = parse('query ($on: Boolean!, $n: Int) { rows(limit: $n) @include(if: $on) { id } }');
    const operation = compiledDocument(schema, document, costMeter(schema)).operation(null);
    const costs = [
      { on: false, n: 7 },
      { on: true, n: 7 },
      { on: true, n: 8 },
    ].map((variables) => operation?.cost(variables)?.used);
    expect(costs).toEqual([0, 1 + 7, 1 + 8]);
  });

  test('the cost is that of the executed operation only', () => {
    const document = parse('query Small { item { id } } query Large { rows { id } }');
    expect(meter({ document, operationName: 'Small' })?.used).toBe(2);
  });

  test('a variable that makes an argument invalid hides no cost', () => {
    const document = parse('query ($n: Int! = 5) { rows(limit: $n) { id names } }');
    expect(meter({ document, variables: { n: null } })).toBeNull();
  });
});

test('a list without a bound stops the start', () => {
  const unbounded = buildSchema('type Query { things: [Thing!]! } type Thing { id: Int! }');
  expect(() => costMeter(unbounded)).toThrow(
    'The list Query.things has neither a size argument nor a row in LIST_BOUNDS',
  );
});

test('a page without a size argument is not exempt as a wrapper', () => {
  const loose = buildSchema(`${HANDMADE} extend type Query { all: ItemConnection! }`);
  expect(() => costMeter(loose)).toThrow('The list ItemConnection.edges has neither');
});
