import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execute, getIntrospectionQuery, type IntrospectionOptions, parse } from 'graphql';

import { QUERY_LIMITS } from '../../src/limits.ts';
import { schemaAnswers } from '../../src/graphql/schema-answers.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';
import { startService, type TestService } from '../support/service.ts';

const schema = makeSchema();
const standard = getIntrospectionQuery();

const FORMS: readonly IntrospectionOptions[] = [
  {},
  { descriptions: false },
  { specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true, inputValueDeprecation: true },
  { inputValueDeprecation: true, oneOf: true, specifiedByUrl: true },
  { experimentalDirectiveDeprecation: true, typeDepth: 7 },
];

describe('the answer to an introspection', () => {
  test.each(FORMS)('in the form %j is what execution gives', (form) => {
    const query = getIntrospectionQuery(form);
    const answer = schemaAnswers(schema)({ query, operationName: 'IntrospectionQuery' });
    const { data } = JSON.parse(answer ?? 'null');
    expect(data).toEqual(JSON.parse(JSON.stringify(execute({ schema, document: parse(query) }))).data);
  });

  test('is worked out once for each text', () => {
    const answers = schemaAnswers(schema);
    const sent = { query: standard, operationName: null };
    expect(answers(sent)).toBe(answers({ ...sent }));
  });

  test.each([
    ['{ __typename }', null],
    ['{ __schema { queryType { name } } currentRound { id } }', null],
    ['query ($name: String!) { __type(name: $name) { name } }', null],
    ['{ __schema { nothing } }', null],
    ['{ __schema { queryType { name }', null],
    ['query A { __schema { queryType { name } } } query B { __typename }', 'A'],
    ['query A { __schema { queryType { name } } }', 'B'],
    ['{ a: __schema { queryType { name } } b: __schema { queryType { name } } }', null],
  ])('is not prepared for %s', (query, operationName) => {
    expect(schemaAnswers(schema)({ query, operationName })).toBeNull();
  });
});

describe('over HTTP', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const ask = (query: string, headers: Readonly<Record<string, string>> = {}) =>
    service.request('POST', '/graphql', { body: { query }, headers });

  test.each(['application/json', 'application/graphql-response+json'])('it comes as %s', async (accept) => {
    const { status, headers, body } = await ask(standard, { accept });
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: `${accept}; charset=utf-8` });
    expect(body.data.__schema.queryType.name).toBe('Query');
    expect(body.extensions.cost.left).toBeGreaterThan(0);
  });

  test('two of them in one document cost too much', async () => {
    const { status, body } = await ask('{ a: __schema { queryType { name } } b: __schema { queryType { name } } }');
    expect({ status, limit: body.errors[0].extensions.limit.name }).toEqual({ status: 400, limit: 'cost' });
  });

  test('lists of the schema inside one another cost what they list', async () => {
    const { status, body } = await ask(
      '{ __schema { types { a: fields { type { fields { name } } } b: fields { type { fields { name } } } c: fields { type { fields { name } } } } } }',
    );
    expect({ status, limit: body.errors[0].extensions.limit.name }).toEqual({ status: 400, limit: 'cost' });
    expect(body.errors[0].extensions.limit.found).toBeGreaterThan(QUERY_LIMITS.cost);
  });
});
