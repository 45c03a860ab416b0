import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getOperationAST, OperationTypeNode, parse } from 'graphql';

import { costMeter } from '../../src/graphql/cost.ts';
import { documentChecks } from '../../src/graphql/document-transport.ts';
import { openDocuments } from '../../src/graphql/documents.ts';
import { IDE_EXAMPLES } from '../../src/graphql/ide-examples.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';
import { registered } from '../support/asking.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const page = async (): Promise<string> => (await service.request('GET', '/graphql', { headers: BROWSER })).body;

describe('IDE for browsers', () => {
  test('a browser at /graphql gets the IDE', async () => {
    const { status, headers, body } = await service.request('GET', '/graphql', { headers: BROWSER });
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'text/html; charset=utf-8' });
    expect(body).toContain('<app-root>');
  });

  test('every file of the IDE is at this service', async () => {
    const html = await page();
    const base = /<base href="([^"]+)"/.exec(html)?.[1] ?? '';
    const names = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].flatMap(([, name = '']) =>
      name === base ? [] : [name],
    );
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      const { pathname, origin } = new URL(name, service.url + base);
      expect({ origin, status: (await service.request('GET', pathname)).status, name }).toEqual({
        origin: service.url,
        status: 200,
        name,
      });
    }
  });

  test('the IDE’s policy forbids other origins', async () => {
    const { headers } = await service.request('GET', '/graphql', { headers: BROWSER });
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(headers.get('content-security-policy')).not.toMatch(/https?:/);
  });

  test('the IDE’s options have the paths of queries and the WebSocket', async () => {
    const { body } = await service.request('GET', '/graphql/ide/initial_options.js');
    expect(body).toContain('endpointURL: location.origin + "/graphql"');
    expect(body).toMatch(/subscriptionsEndpoint: .* \+ "\/graphql"/);
    for (const { name } of IDE_EXAMPLES) expect(body).toContain(name);
  });

  test('a path cannot leave the IDE’s folder', async () => {
    const { status } = await service.request('GET', '/graphql/ide/..%2f..%2f..%2fpackage.json');
    expect([400, 403, 404]).toContain(status);
  });
});

describe('programs at /graphql', () => {
  test.each(['*/*', 'application/json', 'application/graphql-response+json'])(
    'a program that accepts %s gets no page',
    async (accept) => {
      const { headers } = await service.request('GET', '/graphql?query={__typename}', {
        headers: { accept, 'apollo-require-preflight': '1' },
      });
      expect(headers.get('content-type')).toMatch(/json/);
    },
  );
});

describe('examples', () => {
  const schema = makeSchema();
  const meter = costMeter(schema);
  const check = documentChecks(openDocuments(schema, meter));

  test.each(IDE_EXAMPLES)('the example "$name" is valid and within the limits', ({ query }) => {
    expect(check({ query })).toHaveProperty('operation');
  });

  const queries = IDE_EXAMPLES.filter(
    ({ query }) => getOperationAST(parse(query))?.operation === OperationTypeNode.QUERY,
  );

  test.each(queries)('the example "$name" is answered', async ({ query, headers }) => {
    const { key } = await registered(service, `asks-${queries.findIndex((one) => one.query === query)}`);
    const needsKey = headers !== undefined;
    const { status, body } = await service.request('POST', '/graphql', {
      body: { query },
      key: needsKey ? key : undefined,
    });
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
  });

  test('the examples subscribe from now on, not from the first event', () => {
    for (const { query } of IDE_EXAMPLES) expect(query).not.toMatch(/after: *\d/);
  });

  test('at least one example is a subscription', () => {
    expect(queries.length).toBeLessThan(IDE_EXAMPLES.length);
  });
});
