import { afterEach, expect, test } from '@jest/globals';

import { startService, type ServiceSettings, type TestService } from '../support/service.ts';
import { endQuietly } from '../support/quiet-end.ts';

let service: TestService;

afterEach(() => endQuietly(service));

/** What remains of the budget after a request with each of these headers. */
async function remainingWith(trustProxy: ServiceSettings['trustProxy'], forwarded: readonly string[]) {
  service = await startService({ rateLimits: true, ...(trustProxy === undefined ? {} : { trustProxy }) });
  const left: (string | null)[] = [];
  for (const header of forwarded) {
    const { headers } = await service.request('GET', '/api/health', {
      headers: { 'x-forwarded-for': header, 'x-real-ip': header, forwarded: `for=${header}` },
    });
    left.push(headers.get('x-ratelimit-remaining'));
  }
  return left;
}

test('a forged X-Forwarded-For is ignored without trusted proxies', async () => {
  expect(await remainingWith(undefined, ['1.1.1.1', '2.2.2.2', '3.3.3.3'])).toEqual(['119', '118', '117']);
});

test('forged addresses cannot multiply registrations', async () => {
  service = await startService({ rateLimits: true });
  const statuses = [];
  for (let n = 1; n <= 4; n += 1) {
    const headers = { 'x-forwarded-for': `10.0.0.${n}` };
    const { status } = await service.request('POST', '/api/agents/register', {
      body: { name: `forged-${n}` },
      headers,
    });
    statuses.push(status);
  }
  expect(statuses).toEqual([201, 201, 201, 429]);
});

test('a trusted proxy’s header gives the client’s address', async () => {
  expect(await remainingWith(true, ['1.1.1.1', '2.2.2.2', '1.1.1.1'])).toEqual(['119', '119', '118']);
});

test('one trusted hop uses the last address only, so that no client can forge it', async () => {
  expect(await remainingWith(1, ['9.9.9.9, 1.1.1.1', '8.8.8.8, 1.1.1.1', '1.1.1.1'])).toEqual(['119', '118', '117']);
});

test('a header of a proxy outside the list is ignored', async () => {
  expect(await remainingWith('10.0.0.0/8', ['1.1.1.1', '2.2.2.2'])).toEqual(['119', '118']);
});

test('a header of a proxy on the list is used', async () => {
  expect(await remainingWith('loopback', ['1.1.1.1', '2.2.2.2'])).toEqual(['119', '119']);
});
