import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mock } from 'node:test';

import { memoryLimiter } from '../../src/backplane/local.ts';
import { startService, type TestService } from '../support/service.ts';
import { endQuietly } from '../support/quiet-end.ts';

const BEGIN = Date.parse('2026-11-21T10:20:30.400Z');

let service: TestService;

beforeAll(async () => {
  service = await startService({ rateLimits: memoryLimiter() });
  // Limits follow real time, so the test moves the process's date, and that alone: timers go on as they are.
  mock.timers.enable({ apis: ['Date'], now: BEGIN });
});

afterAll(async () => {
  mock.timers.reset();
  await endQuietly(service);
});

async function ask(path: string, afterSeconds: number) {
  mock.timers.setTime(BEGIN + afterSeconds * 1000);
  const { status, headers } = await service.request('GET', path);
  return [status, headers.get('x-ratelimit-remaining'), headers.get('retry-after')];
}

test('a window starts with the first request and has a fixed length', async () => {
  expect(await ask('/api/stats', 0)).toEqual([200, '119', null]);
  for (let left = 118; left > 0; left -= 1) await ask('/api/stats', 50);
  expect(await ask('/api/stats', 50)).toEqual([200, '0', null]);
  expect(await ask('/api/stats', 50)).toEqual([429, '0', '10']);
  expect(await ask('/api/stats', 58.5)).toEqual([429, '0', '2']);
  expect(await ask('/api/stats', 59.999)).toEqual([429, '0', '1']);
  expect(await ask('/api/stats', 60.001)).toEqual([200, '119', null]);
});

test('refused requests do not prolong a window, and the service’s clock does not end it', async () => {
  const register = async (afterSeconds: number) => {
    mock.timers.setTime(BEGIN + afterSeconds * 1000);
    const { status } = await service.request('POST', '/api/agents/register', { body: {} });
    return status;
  };
  expect([await register(0), await register(0), await register(0), await register(3599)]).toEqual([400, 400, 400, 429]);
  service.clock.set('2026-02-01T00:00:00Z');
  expect([await register(3599.9), await register(3600.1)]).toEqual([429, 400]);
});

test('a later first request starts a later window', async () => {
  expect(await ask('/api/health', 1000)).toEqual([200, '119', null]);
  expect(await ask('/api/health', 1059)).toEqual([200, '118', null]);
  expect(await ask('/api/health', 1061)).toEqual([200, '119', null]);
});
