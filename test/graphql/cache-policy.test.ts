import { describe, expect, test } from '@jest/globals';
import { getNamedType, type GraphQLField, type GraphQLInputType, isEnumType, isRequiredArgument } from 'graphql';

import { cachePolicyOf } from '../../src/graphql/cache-policy.ts';
import { compileServiceOperation } from '../../src/graphql/operation.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';

const schema = makeSchema();
const fields = Object.values(schema.getQueryType()?.getFields() ?? {});

function dependenciesOf(document: string) {
  return cachePolicyOf(compileServiceOperation(schema, document), {})?.dependsOn.toSorted() ?? null;
}

/** With a value of its type for each argument that must be given. */
function documentWith({ name, args, type }: GraphQLField<unknown, unknown>): string {
  const given = args.filter(isRequiredArgument).map((one) => `${one.name}: ${valueOf(one.type)}`);
  const below = 'getFields' in getNamedType(type) ? '{ __typename }' : '';
  return `{ ${name}${given.length > 0 ? `(${given.join(', ')})` : ''} ${below} }`;
}

function valueOf(type: GraphQLInputType): string {
  const named = getNamedType(type);
  if (isEnumType(named)) return named.getValues()[0]?.name ?? '';
  return named.name === 'Int' ? '1' : '"a"';
}

describe('a document without a key', () => {
  // A new field of Query is decided here as well as in the source.
  test('these fields of Query are never cached, and all others are', () => {
    const never = fields.filter((field) => dependenciesOf(documentWith(field)) === null).map(({ name }) => name);
    expect(never.toSorted()).toEqual([
      'breakdown',
      'headToHead',
      'health',
      'leaderboardArchives',
      'me',
      'ownLimits',
      'ownRounds',
      'predictionProof',
      'receipt',
      'serviceKeys',
      'signedRecord',
      'viewer',
      'webhook',
    ]);
    expect(fields).toHaveLength(never.length + 18);
  });

  test.each([
    ['{ leaderboard { updatedAt } }', ['events', 'second']],
    ['{ leaderboard { rankings { agent { name } } } }', ['entries', 'events', 'second']],
    ['{ round(id: 1) { status } }', ['entries', 'events', 'second']],
    ['{ predictions { nodes { id } } }', ['entries', 'events', 'second']],
    ['{ stats { totalAgents } }', ['entries', 'events', 'second']],
    ['{ market { source } candles(asset: BTC) { closeUsd } }', ['events', 'prices', 'second']],
  ])('%s depends on %j', (document, dependsOn) => {
    expect(dependenciesOf(document)).toEqual(dependsOn);
  });

  test.each([
    ['a field that is never cached', '{ stats { totalAgents } health { status } }'],
    ['a field of its caller', '{ stats { totalAgents } viewer { name } }'],
    ['a field that changes without a message', '{ round(id: 1) { evidence { source } } }'],
    ['a mutation', 'mutation { rotateKey { message } }'],
  ])('is not cached with %s', (_what, document) => {
    expect(dependenciesOf(document)).toBeNull();
  });
});
