import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { register } from '../support/agents.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({});
});
afterAll(() => service.stop());

test.each(['/', '/rounds', '/rounds/1', '/agents', '/leaderboard', '/forecast', '/questions', '/about', '/join'])(
  '%s is served with its first answers, and runs only the service’s scripts',
  async (path) => {
    const response = await fetch(`${service.url}${path}`);
    const html = await response.text();
    expect(response.status).toBe(200);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(html).toContain('"Hello":{"variables":{},"data":{"health"');
    const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(html) ?? [];
    const file = await fetch(`${service.url}${script}`, { headers: { 'Accept-Encoding': 'br' } });
    expect([file.status, file.headers.get('content-encoding'), file.headers.get('cache-control')]).toEqual([
      200,
      'br',
      'public, max-age=31536000, immutable',
    ]);
  },
);

test.each([
  ['/board', '/leaderboard'],
  ['/board?by=edge', '/leaderboard?by=edge'],
  ['/board/2026-W47', '/leaderboard/2026-W47'],
  ['/rounds/', '/rounds'],
  ['/rounds/7/?a=b', '/rounds/7?a=b'],
  ['/leaderboard/?by=edge', '/leaderboard?by=edge'],
  ['/agents/named-agent/', '/agents/named-agent'],
  ['/embed/agent/1/', '/embed/agent/1'],
])('%s redirects to %s', async (path, target) => {
  const { status, headers } = await fetch(service.url + path, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([308, target]);
});

test('a page about an unknown round, agent or period is marked as such', async () => {
  const statuses = [
    '/rounds/999',
    '/agents/999',
    '/leaderboard/2020-01',
    '/leaderboard/2026-02-30',
    '/page/none.js',
  ].map(async (path) => (await fetch(`${service.url}${path}`)).status);
  expect(await Promise.all(statuses)).toEqual([404, 404, 404, 404, 404]);
});

const IN_A_BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test('an agent’s name in any case redirects to its page', async () => {
  const { id } = await register(service, 'Named-agent');
  const response = await fetch(`${service.url}/agents/named-AGENT?against=1`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([302, `/agents/${id}?against=1`]);
});

test('an unknown path gets a page in a browser, and JSON in a program', async () => {
  for (const path of ['/nosuchpage', '/agents/nobody', '/rounds/x', '/docs/none']) {
    const shown = await fetch(`${service.url}${path}`, { headers: IN_A_BROWSER });
    const html = await shown.text();
    expect([path, shown.status, shown.headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8']);
    expect(html).toContain('No such page');
    expect(html).toContain('<a href="/leaderboard">');
    expect(shown.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const answered = await fetch(`${service.url}${path}`);
    expect([answered.status, await answered.json()]).toEqual([404, expect.objectContaining({ code: 'unknown_path' })]);
  }
  for (const path of ['/api/nothing', '/api/agents/x/y']) {
    const answered = await fetch(`${service.url}${path}`, { headers: IN_A_BROWSER });
    expect([answered.status, answered.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  }
});

test('only embeddable pages can be framed by other sites', async () => {
  const { id: agentId } = await register(service, 'framed');
  for (const path of ['/embed/round', `/embed/agent/${agentId}`]) {
    const response = await fetch(`${service.url}${path}`);
    expect([path, response.status, response.headers.get('x-frame-options')]).toEqual([path, 200, null]);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain('frame-ancestors *;');
    expect(await response.text()).toContain('<base target="_blank">');
  }
  const { headers } = await fetch(`${service.url}/agents/${agentId}`);
  expect([headers.get('x-frame-options'), headers.get('content-security-policy')]).toEqual([
    'DENY',
    expect.stringContaining("frame-ancestors 'none'"),
  ]);
  expect((await fetch(`${service.url}/embed/agent/999`)).status).toBe(404);
});

test('a badge is an SVG that other sites can show and cache for a minute', async () => {
  const { id: agentId } = await register(service, 'badged');
  const badge = await fetch(`${service.url}/badge/agent/${agentId}.svg`);
  expect(await badge.text()).toContain('<title>badged on Hourcast: no rank yet');
  expect(Object.fromEntries(badge.headers)).toMatchObject({
    'content-type': 'image/svg+xml',
    'cache-control': 'public, max-age=60',
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  const again = await fetch(`${service.url}/badge/agent/${agentId}.svg`, {
    headers: { 'If-None-Match': badge.headers.get('etag') ?? '', 'Cache-Control': 'max-age=0' },
  });
  expect(again.status).toBe(304);
  const statuses = ['999', '0', 'x'].map(async (id) => (await fetch(`${service.url}/badge/agent/${id}.svg`)).status);
  expect(await Promise.all(statuses)).toEqual([404, 404, 404]);
});

test.each(['/', '/leaderboard?by=edge', '/rounds/1', '/about'])(
  '%s has a PNG preview, which other sites can show',
  async (path) => {
    const html = await (await fetch(`${service.url}${path}`)).text();
    const [, address = ''] = /<meta property="og:image" content="([^"]+)"/.exec(html) ?? [];
    expect(address.startsWith(`${service.url}/preview/`)).toBe(true);
    const picture = await fetch(address);
    const bytes = Buffer.from(await picture.arrayBuffer());
    expect([picture.status, picture.headers.get('content-type'), bytes.toString('latin1', 1, 4)]).toEqual([
      200,
      'image/png',
      'PNG',
    ]);
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
    expect(picture.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  },
);

test('unknown and embeddable pages have no preview', async () => {
  const paths = ['rounds/999.png', 'agents/999.png', 'embed/round.png', 'now.svg', 'x.png'];
  const statuses = paths.map(async (path) => (await fetch(`${service.url}/preview/${path}`)).status);
  expect(await Promise.all(statuses)).toEqual([404, 404, 404, 404, 404]);
});
