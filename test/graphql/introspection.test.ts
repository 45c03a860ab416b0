import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execute, getIntrospectionQuery, type IntrospectionOptions, parse } from 'graphql';

import { QUERY_LIMITS } from '../../src/limits.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';
import { startService, type TestService } from '../support/service.ts';

const standard = getIntrospectionQuery();

const FORMS: readonly IntrospectionOptions[] = [
  {},
  { descriptions: false },
  { specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true, inputValueDeprecation: true },
  { inputValueDeprecation: true, oneOf: true, specifiedByUrl: true },
  { experimentalDirectiveDeprecation: true, typeDepth: 7 },
];

describe('introspection over HTTP', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const ask = (query: string, headers: Readonly<Record<string, string>> = {}) =>
    service.request('POST', '/graphql', { body: { query }, headers });

  test.each(FORMS)('introspection equals that of graphql-js in the form %j', async (form) => {
    const query = getIntrospectionQuery(form);
    const { data } = JSON.parse(JSON.stringify(execute({ schema: makeSchema(), document: parse(query) })));
    for (const sent of [query, query, query]) expect((await ask(sent)).body.data).toEqual(data);
  });

  test('introspection comes beside other fields, cached or not', async () => {
    const query = '{ __schema { queryType { name } } stats { totalAgents } }';
    for (const sent of [query, query])
      expect((await ask(sent)).body.data).toEqual({
        __schema: { queryType: { name: 'Query' } },
        stats: { totalAgents: 0 },
      });
  });

  test.each(['application/json', 'application/graphql-response+json'])('introspection comes as %s', async (accept) => {
    const { status, headers, body } = await ask(standard, { accept });
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: `${accept}; charset=utf-8` });
    expect(body.data.__schema.queryType.name).toBe('Query');
    expect(body.extensions.cost.left).toBeGreaterThan(0);
  });

  test('two introspections in one document cost too much', async () => {
    const { status, body } = await ask('{ a: __schema { queryType { name } } b: __schema { queryType { name } } }');
    expect({ status, limit: body.errors[0].extensions.limit.name }).toEqual({ status: 400, limit: 'cost' });
  });

  test('nested lists of the schema cost their items', async () => {
    const { status, body } = await ask(
      '{ __schema { types { a: fields { type { fields { name } } } b: fields { type { fields { name } } } c: fields { type { fields { name } } } } } }',
    );
    expect({ status, limit: body.errors[0].extensions.limit.name }).toEqual({ status: 400, limit: 'cost' });
    expect(body.errors[0].extensions.limit.found).toBeGreaterThan(QUERY_LIMITS.cost);
  });
});
