import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';

import { buildSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';

import { serviceReference } from '../../src/openapi/document.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';
import { compileTable } from '../../src/rest/compile.ts';
import { ENDPOINTS } from '../../src/rest/endpoints.ts';
import { DEPRECATIONS } from '../../src/rules/deprecations.ts';
import { sharedService } from '../support/shared.ts';

const TABLE = [
  { element: 'GET /api/stats', since: '2026-11-22', sunset: '2027-02-01', use: 'Use GET /api/health.' },
  { element: 'GET /api/schedule?hours', since: '2026-12-01', sunset: null, use: 'Use days.' },
  { element: 'Stats.avgConfidence', since: '2026-11-22', sunset: null, use: 'Use avgConfidencePct.' },
];
const LINK = '</api/changes>; rel="deprecation"; type="application/json"';

const service = sharedService(() => ({ deprecations: TABLE, rateLimits: true }));

async function headersAt(path: string, init: RequestInit = {}) {
  const { status, headers } = await fetch(service.url + path, init);
  return [status, ...['deprecation', 'sunset', 'link'].map((name) => headers.get(name))];
}

describe('headers of REST', () => {
  const of = ['@1795305600', 'Mon, 01 Feb 2027 00:00:00 GMT', LINK];

  test('every answer of a deprecated endpoint has them, a refusal too', async () => {
    expect(await headersAt('/api/stats')).toEqual([200, ...of]);
    expect(await headersAt('/api/stats')).toEqual([200, ...of]);
    expect(await headersAt('/api/stats?odd=1')).toEqual([400, ...of]);
    expect(await headersAt('/api/stats', { method: 'HEAD' })).toEqual([200, ...of]);
  });

  test('a deprecated parameter has them only in requests with it, without a Sunset while its day is open', async () => {
    expect(await headersAt('/api/schedule')).toEqual([200, null, null, null]);
    expect(await headersAt('/api/schedule?hours=2')).toEqual([200, '@1796083200', null, LINK]);
  });

  test('other endpoints have none', async () => {
    expect(await headersAt('/api/health')).toEqual([200, null, null, null]);
  });

  test('pages of every origin may read them', async () => {
    const { headers } = await fetch(`${service.url}/api/stats`);
    expect(headers.get('access-control-expose-headers')).toMatch(/, Deprecation, Sunset, Link$/);
  });
});

describe('the table', () => {
  const schema = makeSchema();

  test('the reference marks its endpoints and parameters', () => {
    const { paths } = serviceReference({ schema, table: compileTable(ENDPOINTS, schema, TABLE), version: '9.9.9' });
    expect(paths['/api/stats']?.get).toMatchObject({
      deprecated: true,
      description: expect.stringMatching(/^Deprecated: Use GET \/api\/health\. Limit: /),
    });
    expect(paths['/api/schedule']?.get).not.toHaveProperty('deprecated');
    expect(paths['/api/schedule']?.get?.parameters).toEqual([
      expect.objectContaining({ name: 'hours', deprecated: true, description: expect.stringMatching(/^Deprecated: /) }),
    ]);
    const marked = Object.values(paths).flatMap((item) => Object.values(item).filter(({ deprecated }) => deprecated));
    expect(marked).toHaveLength(1);
  });

  test.each(['GET /api/nothing', 'GET /api/stats?nothing', 'POST /api/predictions?confidence'])(
    'a row about %s, which is no endpoint or query parameter, is refused',
    (element) => {
      const row = { element, since: '2026-11-22', sunset: null, use: 'Nothing.' };
      expect(() => compileTable(ENDPOINTS, schema, [row])).toThrow(`names nothing in REST: ${element}`);
    },
  );

  test('the schema marks its elements, with the same sentence, and no others', () => {
    const ofGraphql = DEPRECATIONS.filter(({ element }) => !element.includes(' '));
    expect(deprecatedInSchema()).toEqual(new Map(ofGraphql.map(({ element, use }) => [element, use])));
  });

  test('days are days, and nothing goes before it was deprecated', () => {
    for (const { since, sunset } of DEPRECATIONS) {
      expect([since, sunset ?? since].every((day) => new Date(day).toISOString().startsWith(day))).toBe(true);
      expect((sunset ?? since) >= since).toBe(true);
    }
  });
});

function deprecatedInSchema(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const note = (element: string, reason: string | null | undefined): void => {
    if (reason != null) found.set(element, reason);
  };
  for (const type of Object.values(buildSchema(readFileSync('schema.graphql', 'utf8')).getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isEnumType(type)) for (const one of type.getValues()) note(`${type.name}.${one.name}`, one.deprecationReason);
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) note(`${type.name}.${field.name}`, field.deprecationReason);
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      note(`${type.name}.${field.name}`, field.deprecationReason);
      for (const one of field.args) note(`${type.name}.${field.name}(${one.name}:)`, one.deprecationReason);
    }
  }
  return found;
}
