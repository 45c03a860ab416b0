import { expect, test } from '@jest/globals';

import { remoteCaller, remoteCallHandler } from '../../src/feed/remote-calls.ts';
import { costMeter } from '../../src/graphql/cost.ts';
import { documentChecks } from '../../src/graphql/document-transport.ts';
import { openDocuments } from '../../src/graphql/documents.ts';
import { DomainError, refused } from '../../src/rules/errors.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';

const budget = { endpoint: 'GraphQL', limit: 5, windowSeconds: 60 };
const all = ['limit', 'after'].map((argument) => refused(argument, 'a number', 'x'));
const readJson = () => Promise.reject(new DomainError('rate_limited', 'Too many.', { retryAfter: 7, budget, all }));

test.each([
  [
    'subscription { leaderboardUpdated(limit: 0) { period } }',
    { reason: 'invalid_parameter', argument: 'limit', message: 'limit must be a whole number from 1 to 100 (got 0).' },
  ],
  ['subscription { roundUpdated { id } }', { reason: 'rate_limited', retryAfter: 7, budget, refusals: all }],
  ['subscription { marketUpdated { source } }', { reason: 'no_prices_yet', retryAfter: 5 }],
])('%s is refused in a process without a database as in others', async (query, refusal) => {
  const schema = makeSchema('open');
  const market = { quotes: () => null, source: 'sim' };
  const handle = remoteCallHandler({
    check: documentChecks(openDocuments(schema, costMeter(schema))),
    ownFields: new Set(),
    newContext: () => ({ services: { picks: 'open', market, readJson, clock: { now: () => new Date(0) } } }),
    formatErrors: () => [],
    end: async () => 0,
    countEntries: async () => null,
  });
  // Redis passes JSON.
  const send = async (call: unknown) => JSON.parse(JSON.stringify(await handle(call)));
  const [result] = remoteCaller(send).execute({ query, operationName: undefined, variables: {} }, [{}]);
  await expect(result).rejects.toMatchObject(refusal);
});
