import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';

import { startService, type TestService } from '../../support/service.ts';

const GUIDE = readFileSync(new URL('../../../docs/analysts.md', import.meta.url), 'utf8');
const SCHEMA = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));
const BLOCK = /^## ([^\n]+)$|```graphql\n([\s\S]*?)```/gm;

/** Each query of the guide under the heading that it stands below. */
const EXAMPLES = examplesOf(GUIDE);
const QUERIES = EXAMPLES.filter(({ query }) => !query.startsWith('subscription'));

function examplesOf(text: string): { title: string; query: string }[] {
  let title = '';
  return [...text.matchAll(BLOCK)].flatMap(([, heading, query]) => {
    title = heading ?? title;
    return query === undefined ? [] : [{ title, query }];
  });
}

let service: TestService;
beforeAll(async () => {
  service = await startService();
  const { body } = await service.request('POST', '/api/agents/register', { body: { name: 'guided' } });
  for (let hour = 0; hour < 3; hour += 1) {
    const { round } = (await service.request('GET', '/api/rounds/current')).body;
    const prediction = { round_id: round.id, prediction: round.choices[0], confidence: 80 };
    await service.request('POST', '/api/predictions', { key: body.api_key, body: prediction });
    await service.nextHour();
  }
  await service.request('POST', '/api/agents/register', { body: { name: 'other' } });
  // So that the day is over.
  service.clock.set('2026-01-02T00:10:00Z');
  await service.turn();
});
afterAll(() => service.stop());

test('the guide has at least a dozen questions', () => {
  expect(QUERIES.length).toBeGreaterThanOrEqual(12);
});

test.each(EXAMPLES)('the document fits the schema: $title', ({ query }) => {
  expect(validate(SCHEMA, parse(query))).toEqual([]);
});

test.each(QUERIES)('the query has no fixed date: $title', ({ query }) => {
  expect(query).not.toMatch(/\d{4}-\d\d/);
});

test.each(QUERIES)('the query is answered completely within the limits: $title', async ({ query }) => {
  const { status, body } = await service.request('POST', '/graphql', {
    body: { query, variables: variablesOf(query) },
  });
  expect(body.errors).toBeUndefined();
  expect(status).toBe(200);
  expect(Object.values(body.data)).not.toContain(null);
  expect(body.extensions.cost.left).toBeGreaterThan(0);
});

function variablesOf(query: string): Record<string, unknown> {
  const variables = {
    name: 'guided',
    id: 1,
    other: 2,
    from: '2026-01-01T00:00:00Z',
    to: '2026-02-01T00:00:00Z',
    period: '2026-01-01',
  };
  return Object.fromEntries(Object.entries(variables).filter(([name]) => query.includes(`$${name}:`)));
}
