import { once } from 'node:events';
import { connect } from 'node:net';

import { afterEach, expect, test } from '@jest/globals';

import type { PartStatus } from '../../src/backplane/backplane.ts';
import { appendEvents } from '../../src/feed/event-log.ts';
import type { SourceState } from '../../src/market/market.ts';
import { until } from '../support/poll.ts';
import { expectRefusal } from '../support/refusals.ts';
import { scriptedMarket } from '../support/scripted-market.ts';
import { startService, type TestService } from '../support/service.ts';
import { startWorker } from './worker.ts';

let service: TestService;
afterEach(() => service.stop());

function fail(): never {
  throw new Error('password authentication failed for user "ann"');
}

const ready = (query = '') => service.request('GET', `/readyz${query}`);

test('a serving process is live and ready', async () => {
  service = await startService();
  expect(await service.request('GET', '/livez')).toMatchObject({ status: 200, body: { alive: true } });
  expect(await ready()).toMatchObject({ status: 200, body: { ready: true, not_ready: {} } });
  expect((await service.request('HEAD', '/readyz')).status).toBe(200);
});

test('a process is not ready without an active round, and gives the reason', async () => {
  service = await startService();
  service.clock.set(new Date('2026-01-01T13:00:05Z'));
  await until('the feed has followed, and the round is still the hour’s', async () => (await ready()).status === 200);
  service.clock.set(new Date('2026-01-01T13:00:30Z'));
  expect(await ready()).toMatchObject({
    status: 503,
    body: { ready: false, not_ready: { rounds: 'No round is active for the present hour.' } },
  });
  await service.turn();
  expect((await ready()).status).toBe(200);
});

test('a process is not ready without the job queue, unless the probe excludes it', async () => {
  const shared: PartStatus[] = [
    { part: 'queue', driver: 'redis', up: false },
    { part: 'bus', driver: 'redis', up: false },
  ];
  service = await startService({ backplane: { status: () => shared } });
  const { status, body } = await ready();
  expect({ status, body }).toEqual({
    status: 503,
    body: { ready: false, not_ready: { queue: 'The job queue (redis) does not answer.' } },
  });
  expect((await ready('?exclude=market,queue')).status).toBe(200);
  expect((await ready('?exclude=market')).status).toBe(503);
  for (const query of ['?exclude=', '?exclude=disk', '?exclude=queue&exclude=feed', '?exclude=queue,']) {
    expectRefusal(await ready(query), 400, /^exclude must be one or more of database, queue, feed, rounds, market/);
  }
});

test('a process is not ready while no source of prices answers', async () => {
  let states: SourceState[] = ['open', 'down'];
  const rest = { lastSuccessAt: null, lastErrorAt: null, lastError: null, lateTries: 0 };
  const status = () => states.map((state, n) => ({ source: `exchange-${n}`, state, ...rest }));
  service = await startService({ prices: { ...scriptedMarket(), status } });
  expect((await ready()).body.not_ready).toEqual({ market: 'No source of prices answers at present.' });
  states = ['open', 'up'];
  expect((await ready()).status).toBe(200);
});

test('a process is not ready after too long without events', async () => {
  service = await startService();
  await using worker = await startWorker(service, { feed: { lastSeq: () => 3 } });
  const write = (at: string) =>
    service
      .newEm()
      .transactional((em) =>
        appendEvents(em, new Date(at), [{ kind: 'LEADERBOARD_CHANGED', roundId: null, payload: {} }]),
      );
  await write('2026-01-01T12:09:55Z');
  expect((await worker.get('/readyz')).status).toBe(200);
  await write('2026-01-01T12:09:49Z');
  expect(JSON.parse((await worker.get('/readyz')).text).not_ready).toEqual({
    feed: 'The feed lags behind the event log.',
  });
});

test('a process is not ready without its database, but live, and hides the database’s message', async () => {
  service = await startService();
  await using worker = await startWorker(service, { newEm: fail, feed: { lastSeq: () => 0 } });
  const { status, text } = await worker.get('/readyz');
  expect(status).toBe(503);
  expect(JSON.parse(text).not_ready).toEqual({
    database: 'The database does not answer.',
    feed: 'The database does not answer.',
    rounds: 'The database does not answer.',
  });
  expect((await worker.get('/livez')).status).toBe(200);
  expect((await worker.get('/metrics')).text).toContain('hourcast_ready{part="database"} 0');
});

test('a stopping process is not ready, also on new connections, before it closes', async () => {
  service = await startService({ noticeMs: 1000 });
  expect((await ready()).status).toBe(200);
  const stopped = service.stop();
  const { status, body } = await ready();
  expect({ status, body }).toEqual({
    status: 503,
    body: { ready: false, not_ready: { process: 'This process is being stopped.' } },
  });
  expect((await service.request('GET', '/livez')).status).toBe(200);
  await stopped;
  const { hostname, port } = new URL(service.url);
  const [error] = await once(connect(Number(port), hostname), 'error');
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
});
