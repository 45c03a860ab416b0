import { expect, test } from '@jest/globals';

import { remoteCaller, remoteCallHandler } from '../../src/feed/remote-calls.ts';
import { costMeter } from '../../src/graphql/cost.ts';
import { documentChecks } from '../../src/graphql/document-transport.ts';
import { openDocuments } from '../../src/graphql/documents.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';

test.each([
  [
    'subscription { leaderboardUpdated(limit: 0) { period } }',
    { reason: 'invalid_parameter', argument: 'limit', message: 'limit must be a whole number from 1 to 100 (got 0).' },
  ],
  ['subscription { marketUpdated { source } }', { reason: 'no_prices_yet', retryAfter: 5 }],
])('%s is refused in a process without a database as in others', async (query, refusal) => {
  const schema = makeSchema('open');
  const market = { quotes: () => null, source: 'sim' };
  const handle = remoteCallHandler({
    check: documentChecks(openDocuments(schema, costMeter(schema))),
    ownFields: new Set(),
    newContext: () => ({ services: { picks: 'open', market, clock: { now: () => new Date(0) } } }),
    formatErrors: () => [],
    end: async () => 0,
    countEntries: async () => null,
  });
  // Redis passes JSON.
  const send = async (call: unknown) => JSON.parse(JSON.stringify(await handle(call)));
  const [result] = remoteCaller(send).execute({ query, operationName: undefined, variables: {} }, [{}]);
  await expect(result).rejects.toMatchObject(refusal);
});
