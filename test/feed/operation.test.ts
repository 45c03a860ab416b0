import { expect, test } from '@jest/globals';

import { sharedOperation } from '../../src/feed/operation.ts';
import { costMeter } from '../../src/graphql/cost.ts';
import { documentChecks } from '../../src/graphql/document-transport.ts';
import { openDocuments } from '../../src/graphql/documents.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';
import { DomainError } from '../../src/rules/errors.ts';

const schema = makeSchema('open');
const check = documentChecks(openDocuments(schema, costMeter(schema)));
const at = new Date('2026-01-01T12:00:00Z');
const HEARTBEAT = { events: { seq: 7, kind: 'HEARTBEAT', at, roundId: null, payload: {} } };
const OPENED = { events: { seq: 8, kind: 'ROUND_OPENED', at, roundId: 3, payload: {} } };

/** The results of an operation in a process without a database; `elsewhere` is named by what is asked there. */
async function results(
  query: string,
  roots: readonly object[],
  answered = async (): Promise<string> => 'asked elsewhere',
): Promise<readonly string[]> {
  const operation = check({ query });
  if (!('operation' in operation)) throw new Error('The document must be valid', { cause: operation });
  const deps = {
    ownFields: new Set<string>(),
    newContext: () => ({}),
    formatErrors: (errors: unknown) => errors,
    elsewhere: (_sent: object, given: readonly object[]) => given.map(answered),
  };
  return Promise.all(sharedOperation(deps, operation, null).execute(roots.map((root) => ({ ...root }))));
}

test.each([
  ['an event’s own fields', '{ events { seq kind roundId } }', HEARTBEAT, { seq: 7, kind: 'HEARTBEAT', roundId: null }],
  ['the round of an event without one', '{ events { seq round { id } } }', HEARTBEAT, { seq: 7, round: null }],
  ['an event’s own fields', '{ events { seq roundId } }', OPENED, { seq: 8, roundId: 3 }],
])('%s need no database', async (_what, selection, root, events) => {
  const [text = ''] = await results(`subscription ${selection}`, [root]);
  expect(JSON.parse(text)).toEqual({ data: { events } });
});

test('an event’s round is asked of a process with a database, with the other events of its group', async () => {
  const selection = 'subscription { events { seq round { id } } }';
  expect(await results(selection, [HEARTBEAT, OPENED])).toEqual(['asked elsewhere', 'asked elsewhere']);
});

test('present states are asked of a process with a database', async () => {
  expect(await results('subscription { roundUpdated { id } }', [{ roundId: null }])).toEqual(['asked elsewhere']);
});

test('a field that fails is null in the result, with its error beside it', async () => {
  const [text = ''] = await results('subscription { events { seq roundId } }', [
    { events: { ...HEARTBEAT.events, roundId: 'none' } },
  ]);
  expect(JSON.parse(text)).toEqual({
    data: { events: { seq: 7, roundId: null } },
    errors: [expect.objectContaining({ path: ['events', 'roundId'], message: expect.stringContaining('Int cannot') })],
  });
});

test('a result without data rejects with its error', async () => {
  const result = results('subscription { events { seq } }', [{ events: null }]);
  await expect(result).rejects.toThrow('Cannot return null for non-nullable field Subscription.events.');
});

test('a refusal of a process with a database has the path of the field', async () => {
  const refusal = new DomainError('unknown_round', 'There is no round 4000.');
  const query = 'subscription { asked: roundUpdated(id: 4000) { id } }';
  const result = results(query, [{}], () => Promise.reject(refusal));
  await expect(result).rejects.toMatchObject({ message: 'There is no round 4000.', path: ['asked'] });
});
