import { afterEach, expect, test } from '@jest/globals';

import type { Backplane } from '../../src/backplane/backplane.ts';
import { statement } from '../../src/database/statements.ts';
import type { Market } from '../../src/market/market.ts';
import { register } from '../support/agents.ts';
import { until } from '../support/poll.ts';
import { recording } from '../support/queues.ts';
import { endQuietly } from '../support/quiet-end.ts';
import { scriptedMarket } from '../support/scripted-market.ts';
import { startService, type TestService } from '../support/service.ts';
import { look, TOKEN, waitingRound } from './admin.ts';

let service: TestService;
afterEach(() => endQuietly(service));

test('a healthy service needs no attention', async () => {
  service = await startService({ adminToken: TOKEN });
  const { status, body } = await look(service, '/admin/attention');
  expect([status, body]).toEqual([
    200,
    { at: '2026-01-01T12:10:00.000Z', quiet: true, rounds: [], sources: [], alarms: [] },
  ]);
});

test('a waiting round is listed with the reason, and its alarm later', async () => {
  service = await startService({ adminToken: TOKEN });
  const { id } = await waitingRound(service, await register(service, 'player'));
  const { body } = await look(service, '/admin/attention');
  expect(body.quiet).toBe(false);
  expect(body.rounds).toMatchObject([{ id, last_problem: 'The source does not have all final candles.' }]);
  service.clock.set(new Date(service.clock.now().getTime() + 60_000));
  expect((await look(service, '/admin/attention')).body.alarms).toMatchObject([{ alarm: 'RoundStuck' }]);
});

test('a source that is down has its last error, as have queue and Redis', async () => {
  const status = {
    source: 'kraken',
    state: 'down',
    lastSuccessAt: null,
    lastErrorAt: null,
    lastError: 'HTTP 503',
    lateTries: 0,
  } as const;
  const prices: Market = { ...scriptedMarket(), status: () => [status] };
  const backplane: Partial<Backplane> = {
    status: () => [{ part: 'bus', driver: 'redis', up: false }],
    openQueue: async () => ({
      ...recording([]),
      counts: async () => ({ waiting: 2, delayed: 0, active: 0, failed: 0 }),
    }),
  };
  service = await startService({ adminToken: TOKEN, prices, backplane });
  const { body } = await look(service, '/admin/attention');
  expect(body.sources).toEqual([
    { source: 'kraken', state: 'down', last_success_at: null, last_error_at: null, last_error: 'HTTP 503' },
  ]);
  expect(body.alarms).toEqual([
    { alarm: 'NotReady', what: 'No source of prices answers at present.' },
    { alarm: 'NoWorker', what: '2 jobs of resolve-round wait for a worker.' },
    { alarm: 'RedisDown', what: 'The bus (redis) does not answer.' },
  ]);
});

test('callers waiting for a connection are listed with their number and the remedy', async () => {
  service = await startService({ adminToken: TOKEN });
  const LOCK = statement<[string]>({ name: null, text: 'select pg_advisory_xact_lock(7)::text' });
  const { submissions } = service;
  const callers: Promise<unknown>[] = [];
  await service.newEm().transactional(async (transaction) => {
    await transaction.execute('select pg_advisory_xact_lock(7)');
    for (let n = 0; n < 12; n += 1) callers.push(submissions.rows(LOCK, []));
    await until('some wait', async () => (await look(service, '/admin/attention')).body.alarms.length > 0);
    expect((await look(service, '/admin/attention')).body.alarms).toEqual([
      {
        alarm: 'PoolExhausted',
        what: expect.stringMatching(
          /^All \d+ connections to the database for submissions are in use, and \d+ more wait for one\. For a moment that is normal .* DATABASE_CONNECTIONS is too low\.$/,
        ),
      },
    ]);
  });
  await Promise.all(callers);
});
