import { once } from 'node:events';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { reference } from '../../support/reference.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

test.each([
  ['/openapi.json', 'application/json; charset=utf-8'],
  ['/llms.txt', 'text/plain; charset=utf-8'],
  ['/llms-full.txt', 'text/plain; charset=utf-8'],
  ['/docs', 'text/html; charset=utf-8'],
  ['/docs/agents', 'text/html; charset=utf-8'],
  ['/docs/agents.md', 'text/markdown; charset=utf-8'],
  ['/docs/files/guide.js', 'text/javascript; charset=utf-8'],
  ['/api', 'application/json; charset=utf-8'],
])('%s is served with an ETag, and refuses POST', async (path, type) => {
  const { status, headers } = await service.request('GET', path);
  expect([status, headers.get('content-type')]).toEqual([200, type]);
  const tag = headers.get('etag') ?? '';
  expect(
    (await service.request('GET', path, { headers: { 'if-none-match': tag, 'cache-control': 'max-age=0' } })).status,
  ).toBe(304);
  expect((await service.request('POST', path)).status).toBe(405);
});

test.each(['/docs', '/docs/agents', '/docs/agents.md', '/llms.txt', '/'])(
  '%s, which has the service’s address, is revalidated each time and varies by host',
  async (path) => {
    const { headers } = await service.request('GET', path, { headers: { accept: 'text/html' } });
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('vary')).toMatch(/^X-Forwarded-Host, X-Forwarded-Proto(, Accept-Encoding)?$/);
  },
);

test('the reference served is the one that answers are checked against', async () => {
  const { body } = await service.request('GET', '/openapi.json');
  expect(body).toEqual(JSON.parse(JSON.stringify(reference().document)));
});

test('/api links existing paths', async () => {
  const { body } = await service.request('GET', '/api');
  expect(Object.keys(body)).toEqual(['openapi', 'docs', 'llms', 'graphql', 'mcp', 'events']);
  for (const path of [body.openapi, body.docs, body.llms])
    expect((await service.request('GET', path)).status).toBe(200);
  // What takes a document, or never ends, is there all the same.
  for (const path of [body.graphql, body.mcp]) expect((await service.request('GET', path)).status).not.toBe(404);
  expect((await service.request('HEAD', body.events)).status).toBe(200);
});

test('/clients redirects to the page of the clients', async () => {
  const { status, headers } = await fetch(`${service.url}/clients`, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([308, '/docs/clients']);
  expect((await service.request('GET', '/clients')).status).toBe(200);
});

/** What is served to somebody who reached the service under another name. */
async function named(path: string, host: string): Promise<string> {
  const [response] = await once(get({ port: new URL(service.url).port, path, headers: { host } }), 'response');
  return text(response);
}

test('a document has the service’s address, and a forged host adds nothing', async () => {
  expect(await named('/docs/agents', 'arena.example')).toContain('http://arena.example');
  expect(await named('/docs/agents.md', 'arena.example')).toContain("'http://arena.example'");
  expect(await named('/docs/agents', 'a.example"><script>')).not.toContain('<script>');
});

test('an unknown page gets 404', async () => {
  for (const path of ['/docs/decisions', '/docs/files/index.html', '/docs/../package.json', '/docs/nothing.md'])
    expect((await service.request('GET', path)).status).toBe(404);
});
