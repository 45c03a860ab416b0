import { afterEach, describe, expect, test } from '@jest/globals';

import { ADMIN_ACTIONS, ADMIN_LISTS } from '../../src/rules/admin-actions.ts';
import { endQuietly } from '../support/quiet-end.ts';
import { expectRefusal } from '../support/refusals.ts';
import { startService, type TestService } from '../support/service.ts';
import { act, TOKEN } from './admin.ts';

const LOOKS = ['/admin/rounds/stuck', ...ADMIN_LISTS.map(({ name }) => `/admin/${name}`)];
const ACTIONS = ADMIN_ACTIONS.map(({ of, name }) => `/admin/${of}/1/${name}`);

let service: TestService;
afterEach(() => endQuietly(service));

function basic(password: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`anybody:${password}`).toString('base64')}` };
}

test('operators’ endpoints get 404 without ADMIN_TOKEN', async () => {
  service = await startService();
  for (const headers of [{}, { authorization: 'Bearer ' }, { authorization: 'Bearer undefined' }, basic('')]) {
    for (const path of ['/admin', ...LOOKS])
      expectRefusal(await service.request('GET', path, { headers }), 404, /no endpoint/);
    for (const path of ACTIONS) expectRefusal(await service.request('POST', path, { headers }), 404, /no endpoint/);
  }
});

describe('ADMIN_TOKEN', () => {
  test('a wrong ADMIN_TOKEN is refused everywhere, and nothing changes', async () => {
    service = await startService({ adminToken: TOKEN });
    const wrong = ['', 'Bearer', 'Bearer ', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, TOKEN, `Digest ${TOKEN}`];
    for (const headers of [{}, ...wrong.map((authorization) => ({ authorization })), basic('wrong'), basic('')]) {
      for (const path of [...LOOKS, '/admin/nothing']) {
        const answer = await service.request('GET', path, { headers });
        expectRefusal(answer, 401, /ADMIN_TOKEN/);
        expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
      }
      for (const path of ACTIONS) {
        expectRefusal(await service.request('POST', path, { headers, body: { reason: 'none' } }), 401);
      }
    }
    expect((await service.request('GET', '/api/rounds/current')).body.round.id).toBe(1);
  });

  test('a browser can send ADMIN_TOKEN as a password for reading, not for actions', async () => {
    service = await startService({ adminToken: TOKEN });
    for (const path of LOOKS) expect((await service.request('GET', path, { headers: basic(TOKEN) })).status).toBe(200);
    for (const path of ACTIONS) {
      expectRefusal(await service.request('POST', path, { headers: basic(TOKEN), body: { reason: 'forged' } }), 401);
    }
    expect((await act(service, 'void', 1, 'meant')).status).toBe(200);
  });

  test('wrong tokens are limited by address over all paths', async () => {
    service = await startService({ adminToken: TOKEN, rateLimits: true });
    const guess = (n: number) => service.request('GET', LOOKS[n % 2] ?? '', { key: `guess-number-${n}-and-more` });
    for (let n = 1; n <= 240; n += 1) expect((await guess(n)).status).toBe(401);
    const refused = await guess(241);
    expectRefusal(refused, 429);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    // The right one too, or a guesser would learn it.
    expectRefusal(await act(service, 'void', 1, 'too late'), 429);
    expect((await service.request('GET', '/api/health')).status).toBe(200);
  });
});
