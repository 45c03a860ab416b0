import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { processMetrics } from '../../src/operating/metrics.ts';
import { startService } from '../support/service.ts';
import { TOKEN } from './admin.ts';
import { startWorker, type Worker } from './worker.ts';

const opened = new AsyncDisposableStack();
let worker: Worker;

beforeAll(async () => {
  const service = await startService();
  opened.defer(() => service.stop());
  worker = opened.use(await startWorker(service, { processMetrics: processMetrics() }));
});

afterAll(() => opened.disposeAsync());

test('a worker has probes and operators’ actions', async () => {
  expect((await worker.get('/livez')).status).toBe(200);
  expect((await worker.get('/readyz')).status).toBe(200);
  expect((await worker.get('/admin/rounds/stuck')).status).toBe(200);
  const act = await fetch(`${worker.url}/admin/rounds/1/void`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: '{"reason": "From a worker"}',
  });
  expect(act.status).toBe(200);
});

test('a worker has metrics of its process: processor, memory, event loop', async () => {
  const { text } = await worker.get('/metrics');
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

test('a worker serves no other path', async () => {
  for (const path of ['/', '/api/health', '/graphql', '/api/events']) {
    expect(await worker.get(path)).toEqual({
      status: 404,
      text: expect.stringMatching(/^\{"error":"There is no endpoint GET /),
    });
  }
});
