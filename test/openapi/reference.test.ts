import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from '@jest/globals';
import { isObjectType } from 'graphql';

import { HEAD_PATH, SEGMENT_PATH } from '../../src/feed/segments.ts';
import { exportRoutes } from '../../src/export/export-routes.ts';
import { OWN_ORIGIN_ONLY } from '../../src/limits.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';
import type { Operation, Response } from '../../src/openapi/openapi.ts';
import type { JsonSchema } from '../../src/rest/described.ts';
import { ENDPOINTS } from '../../src/rest/endpoints.ts';
import { pointerTo, reference } from '../support/reference.ts';
import { SPEC_ENDPOINTS } from '../support/spec-endpoints.ts';

const { document, faults } = reference();
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([verb, operation]) => ({ name: `${verb.toUpperCase()} ${path}`, path, verb, operation })),
);
const rows = operations.filter(({ name }) => ENDPOINTS.some(({ method, path }) => name === `${method} ${path}`));
const operationOf = (name: string): Operation | undefined => operations.find((one) => one.name === name)?.operation;

/** The answer of an operation that succeeds, and where it is. */
function success({ path, verb, operation }: (typeof operations)[number]) {
  const [status = '', response] = Object.entries(operation.responses).find(([key]) => key.startsWith('2')) ?? [];
  if (response === undefined || '$ref' in response) throw new Error(`${path} never succeeds`);
  const found: Response = response;
  const [media] = Object.entries(found.content ?? {});
  if (media === undefined) throw new Error(`${path} answers nothing`);
  const [type, { example }] = media;
  const schema = pointerTo('paths', path, verb, 'responses', status, 'content', type, 'schema');
  return { type, schema, example };
}

test('only the service itself is in the section of its state', () => {
  const named = operations.filter(({ operation }) => operation.tags.includes('Service')).map(({ path }) => path);
  expect(named.toSorted()).toEqual(['/.well-known/hourcast-keys.json', '/api/changes', '/api/health']);
});

/** Every object in a value that has the key. */
function* withKey(value: unknown, key: string): Generator<Readonly<Record<string, unknown>>> {
  if (typeof value !== 'object' || value === null) return;
  if (key in value) yield { ...value };
  for (const inner of Object.values(value)) yield* withKey(inner, key);
}

function* textsIn(value: unknown): Generator<string> {
  for (const key of ['description', 'summary'])
    for (const { [key]: text } of withKey(value, key)) if (typeof text === 'string') yield text;
}

/** What fields, parameters and values are called. */
function* namesIn(value: unknown): Generator<string> {
  for (const { properties } of withKey(value, 'properties')) yield* Object.keys(Object(properties));
  for (const { name } of withKey(value, 'name')) if (typeof name === 'string') yield name;
  for (const { enum: values } of withKey(value, 'enum')) yield* Object.values(Object(values)).map(String);
}

/** The fields that may be null. */
function nullableIn({ properties = {} }: JsonSchema = {}): readonly string[] {
  return Object.entries(properties).flatMap(([name, { type, anyOf = [] }]) =>
    [type, ...anyOf.map((one) => one.type)].flat().includes('null') ? [name] : [],
  );
}

/** Of fields and arguments. */
const graphQlNames = Object.values(makeSchema().getTypeMap()).flatMap((type) =>
  isObjectType(type)
    ? Object.values(type.getFields()).flatMap(({ name, args }) => [name, ...args.map((one) => one.name)])
    : [],
);

describe('reference', () => {
  test('the reference is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(Object(document)));
    expect({ valid, errors }).toEqual({ valid: true });
  });

  test('the reference has exactly the rows of the table, the exports and the events', () => {
    const exports = exportRoutes({ picks: 'open', read: async function* () {}, report: () => {} })
      .map(({ path }) => path)
      .filter((path) => path.includes('.'));
    expect(operations.map(({ name }) => name).toSorted()).toEqual(
      [
        ...ENDPOINTS.map(({ method, path }) => `${method} ${path}`),
        ...['/api/events', HEAD_PATH, SEGMENT_PATH, ...exports].map((path) => `GET ${path}`),
      ].toSorted(),
    );
  });

  test('each operation has a unique id', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
  });

  test.each(SPEC_ENDPOINTS.map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s has the key and the limit of the spec',
    (name, { needsKey, requests, windowSeconds }) => {
      const operation = operationOf(name);
      expect(operation?.security).toEqual(needsKey ? [{ apiKey: [] }] : []);
      expect(operation?.['x-rate-limit']).toMatchObject({ requests, window_seconds: windowSeconds });
      expect(operation?.responses['429']).toMatchObject({
        description: expect.stringContaining(`More than ${requests} requests per`),
      });
    },
  );

  test('each row that pages of other origins may not use has a 403', () => {
    const own = ENDPOINTS.filter(({ limit }) => OWN_ORIGIN_ONLY.has(limit));
    expect(own.length).toBeGreaterThan(9);
    const without403 = own.filter(
      ({ method, path }) => !('403' in (operationOf(`${method} ${path}`)?.responses ?? {})),
    );
    expect(without403.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  test("an agent's own data is null only where it may be", () => {
    const { OwnAgent: agent, Prediction: submitted }: Readonly<Record<string, JsonSchema>> = Object(
      document.components.schemas,
    );
    expect(nullableIn(agent)).toEqual(['rank', 'brier', 'skill', 'edge', 'about', 'url']);
    expect(nullableIn(submitted)).toEqual(['id']);
  });

  test('each field and parameter has a description', () => {
    const parameters = operations.flatMap(({ operation }) => operation.parameters ?? []);
    expect(parameters.filter(({ description }) => description === '')).toEqual([]);
    const silent = [...withKey(document, 'properties')].flatMap(({ properties }) =>
      Object.entries(Object(properties)).filter(([, field]) => Object(field).description === undefined),
    );
    expect(silent.map(([name]) => name)).toEqual([]);
  });

  test('names have the spelling of REST, never of GraphQL', () => {
    const wrong = [...textsIn(document)].flatMap((text) =>
      [
        ...text.matchAll(
          /(?<![\w/])[a-z]{2,}\d*[A-Z]\w*|`(BAD_REQUEST|UNAUTHENTICATED|FORBIDDEN|NOT_FOUND|CONFLICT|RATE_LIMITED|UNAVAILABLE)`/g,
        ),
      ].map(([word]) => word),
    );
    expect(wrong).toEqual([]);
    const known = new Set([...namesIn(document), ...Object.keys(document.paths).flatMap((path) => path.split(/[/.]/))]);
    const ofGraphQlAlone = graphQlNames.filter((name) => !known.has(name));
    expect(ofGraphQlAlone).toEqual(expect.arrayContaining(['first', 'orderBy']));
    const foreign = [...textsIn(document)].flatMap((text) =>
      ofGraphQlAlone.filter((name) => text.includes(`\`${name}\``)),
    );
    expect(foreign).toEqual([]);
  });

  test('the answers 200 and 201 of a submission have different descriptions', () => {
    const { 200: checked, 201: stored } = Object(operationOf('POST /api/predictions')?.responses);
    expect([checked.description, stored.description]).toEqual([
      expect.stringMatching(/only checked/),
      expect.stringMatching(/stored, and final/),
    ]);
  });

  test('operations are verbs, and each object is a named schema', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids).toEqual(expect.arrayContaining(['submitPrediction', 'getCurrentRound', 'register', 'streamEvents']));
    expect(
      ids.filter(
        (id) =>
          !/^(get|submit|set|clear|register|rotate|activate|update|create|delete|test|replay|stream|export)/.test(id),
      ),
    ).toEqual([]);
    const names = Object.keys(document.components.schemas);
    expect(names).toEqual(
      expect.arrayContaining(['Round', 'Agent', 'Prediction', 'LeaderboardRow', 'Error', 'SubmitPredictionRequest']),
    );
    expect(names.filter((name) => name.split(/(?=[A-Z])/).length > 4)).toEqual([]);
    const inline = [...withKey(document.paths, 'properties')];
    expect(inline).toEqual([]);
  });

  test('the payload of each event has its fields', () => {
    const { schemas } = document.components;
    const payloads = Object.keys(schemas).filter((name) => name.endsWith('Payload'));
    expect(payloads).toHaveLength(13);
    const absent = payloads.flatMap((name) => {
      const { properties, required }: Readonly<Record<string, object>> = Object(schemas[name]);
      return Object.keys(properties ?? {}).filter((field) => !Object.values(required ?? []).includes(field));
    });
    // Older events have no checkpoint.
    expect([...new Set(absent)].toSorted()).toEqual(['checkpoint', 'price', 'probabilities']);
  });

  test('each refusal and export line fits its schema', () => {
    const shared = Object.entries(document.components.responses).map(([name, response]) => ({
      response,
      place: pointerTo('components', 'responses', name),
    }));
    const own = operations.flatMap(({ path, verb, operation }) =>
      Object.entries(operation.responses).map(([status, response]) => ({
        response,
        place: pointerTo('paths', path, verb, 'responses', status),
      })),
    );
    const wrong = [...shared, ...own].flatMap(({ response, place }) =>
      Object.entries('content' in response ? response.content : {}).flatMap(([type, { example }]) =>
        example === undefined ? [place] : faults(`${place}${pointerTo('content', type, 'schema')}`, example),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test('page sizes are numbers', () => {
    const limit = operationOf('GET /api/leaderboard')?.parameters?.find(({ name }) => name === 'limit');
    expect(limit?.schema).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 50 });
  });
});

describe.each(rows.map((row) => [row.name, row] as const))('%s', (_, row) => {
  test('the example fits its schema', () => {
    const { schema, example } = success(row);
    expect(example).toBeDefined();
    expect(faults(schema, example)).toEqual([]);
    const sent = row.operation.requestBody?.content['application/json'];
    const place = pointerTo('paths', row.path, row.verb, 'requestBody', 'content', 'application/json', 'schema');
    expect(sent === undefined ? [] : faults(place, sent.example)).toEqual([]);
  });

  test('the schema refuses an added, a missing and a changed field', () => {
    const { type, schema, example } = success(row);
    if (type !== 'application/json') {
      expect(faults(schema, {})).toHaveLength(1);
      return;
    }
    const [first = ''] = Object.keys(Object(example));
    const { [first]: _taken, ...less } = Object(example);
    expect(faults(schema, { ...Object(example), unknown: 1 })).toHaveLength(1);
    expect(faults(schema, less)).toHaveLength(1);
    expect(faults(schema, { ...Object(example), [first]: Symbol('other') }).length).toBeGreaterThan(0);
  });
});
