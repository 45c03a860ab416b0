import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({});
});
afterAll(() => service.stop());

test.each(['/', '/rounds', '/rounds/1', '/leaderboard', '/questions', '/about', '/join'])(
  '%s is served with its first answers, and runs scripts of the service alone',
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

test('a page about a round, an agent or a period that there is not says so', async () => {
  const statuses = [
    '/rounds/999',
    '/agents/999',
    '/leaderboard/2020-01',
    '/leaderboard/2026-02-30',
    '/page/none.js',
  ].map(async (path) => (await fetch(`${service.url}${path}`)).status);
  expect(await Promise.all(statuses)).toEqual([404, 404, 404, 404, 404]);
});
