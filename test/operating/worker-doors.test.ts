import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';

import { noLimiter } from '../../src/backplane/local.ts';
import { type Http, openOperatorHttp } from '../../src/app/open-http.ts';
import { makeLogger } from '../../src/logger.ts';
import { processMetrics } from '../../src/operating/metrics.ts';
import { startService, type TestService, urlOf } from '../support/service.ts';
import { TOKEN } from './admin.ts';

let service: TestService;
let worker: Http;
let url: string;

/** A process that serves nobody but operators, on the database of one that serves all. */
beforeAll(async () => {
  service = await startService();
  const { newEm, clock, market } = service;
  worker = openOperatorHttp({
    operating: {
      newEm,
      clock,
      market,
      feed: null,
      limiter: noLimiter,
      backplane: { status: () => [], counts: async () => ({}), nativeQueues: () => [] },
      pools: () => ({}),
      reads: { look: async () => null, figures: () => null },
      announce: () => service.nudge(),
      adminToken: TOKEN,
      processMetrics: processMetrics(),
      noticeMs: 0,
      randomBytes,
      log: makeLogger('silent'),
      report: (error) => service.reported.push(error),
    },
    trustProxy: false,
  });
  await new Promise<void>((resolve) => worker.server.listen(0, '127.0.0.1', resolve));
  url = urlOf(worker.server);
});

afterAll(async () => {
  await worker.close();
  await service.stop();
});

async function get(path: string) {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${TOKEN}` } });
  return { status: response.status, text: await response.text() };
}

test('a worker is asked how it does, and acts for operators', async () => {
  expect((await get('/livez')).status).toBe(200);
  expect((await get('/readyz')).status).toBe(200);
  expect((await get('/admin/rounds/stuck')).status).toBe(200);
  const act = await fetch(`${url}/admin/rounds/1/void`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: '{"reason": "From a worker"}',
  });
  expect(act.status).toBe(200);
});

test('a worker tells of its process: processor, memory, event loop', async () => {
  const { text } = await get('/metrics');
  for (const name of [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_p99_seconds',
    'hourcast_ready',
  ])
    expect(text).toMatch(new RegExp(`^${name}`, 'm'));
  // Prometheus takes no name twice.
  const types = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(new Set(types).size).toBe(types.length);
});

test('a worker serves nobody else', async () => {
  for (const path of ['/', '/api/health', '/graphql', '/api/events']) {
    expect(await get(path)).toEqual({
      status: 404,
      text: expect.stringMatching(/^\{"error":"There is no endpoint GET /),
    });
  }
});
