import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { request } from 'node:http';

import { ASSETS } from '../../src/rules/assets.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventSource } from '../support/event-source.ts';
import { until } from '../support/poll.ts';
import { predict, register } from '../support/agents.ts';
import { recording } from '../support/queues.ts';
import { endQuietly } from '../support/quiet-end.ts';
import { currentRound, startOf } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';
import { act, TOKEN } from './admin.ts';

let service: TestService;

beforeAll(async () => {
  const counts = { waiting: 1, delayed: 2, active: 0, failed: 0 };
  service = await startService({
    adminToken: TOKEN,
    backplane: {
      status: () => [{ part: 'bus', driver: 'redis', up: true }],
      openQueue: async () => ({ ...recording([]), counts: async () => counts }),
    },
  });
});

afterAll(() => endQuietly(service));

/** Every series with its value. */
async function series(): Promise<ReadonlyMap<string, number>> {
  const { body, status, headers } = await service.request('GET', '/metrics');
  expect({ status, type: headers.get('content-type') }).toMatchObject({ status: 200, type: /^text\/plain; version=/ });
  const lines = String(body).split('\n');
  return new Map(
    lines.flatMap((line) => {
      const found = /^([a-z_]+(?:\{.*\})?) (\S+)$/.exec(line);
      return found ? [[found[1] ?? '', Number(found[2])] as const] : [];
    }),
  );
}

function labelsOf(all: ReadonlyMap<string, number>, name: string, label: string): Set<string> {
  const values = [...all.keys()]
    .filter((key) => key.startsWith(`${name}{`))
    .map((key) => new RegExp(`${label}="([^"]*)"`).exec(key)?.[1] ?? '');
  return new Set(values);
}

/** A request with any method and path that Node itself lets through. */
function odd(method: string, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    request({ hostname, port, method, path }, (response) => response.resume().on('end', resolve))
      .on('error', reject)
      .end();
  });
}

test('requests are counted by route, method and status', async () => {
  for (const id of [1, 2, 3]) await service.request('GET', `/api/agents/${id}`);
  await service.request('GET', '/api/agents/none');
  await service.request('POST', '/graphql', { body: { query: '{ health { status } }' } });
  await service.request('GET', '/');
  const all = await series();
  const counted = (route: string, method: string, status: number) =>
    all.get(`hourcast_http_requests_total{route="${route}",method="${method}",status="${status}"}`);
  expect(counted('/api/agents/:agent_id', 'GET', 404)).toBe(3);
  expect(counted('/api/agents/:agent_id', 'GET', 400)).toBe(1);
  expect(counted('/graphql', 'POST', 200)).toBe(1);
  expect(counted('/', 'GET', 200)).toBe(1);
  expect(all.get('hourcast_http_request_duration_seconds_count{route="/api/agents/:agent_id",method="GET"}')).toBe(4);
  const buckets = [...all].filter(([key]) =>
    /^hourcast_http_request_duration_seconds_bucket\{.*route="\/api\/agents\/:agent_id",method="GET"/.test(key),
  );
  expect(buckets.at(-1)).toEqual([expect.stringContaining('le="+Inf"'), 4]);
  const counts = buckets.map(([, count]) => count);
  expect(counts).toEqual(counts.toSorted((left, right) => left - right));
});

test('a scrape probes the replica of a process that serves no reads', async () => {
  const database = await createTestDatabase();
  await using opened = new AsyncDisposableStack();
  opened.defer(() => database.drop());
  // A server that is no standby is never up to date.
  const idle = await startService({ database, replica: database.connection });
  opened.defer(() => idle.stop());
  expect((await idle.request('GET', '/metrics')).body).toContain('hourcast_replica_state{state="behind"} 1\n');
});

test('no path, method, query or header of a caller makes a new label', async () => {
  const before = await series();
  for (let n = 0; n < 40; n += 1) {
    await odd('GET', `/nothing-${n}/pk_live_${n}`);
    await odd('GET', `/api/rounds/${n + 1}/results?after=${n}`);
    await odd('GET', `/graphql/ide/${n}.js`);
    await odd('GET', `/api/agents/%2e%2e${n}`);
  }
  for (const method of ['PROPFIND', 'MKCOL', 'REPORT', 'M-SEARCH', 'PURGE']) await odd(method, '/api/health');
  const all = await series();
  const added = [...all.keys()].filter((key) => !before.has(key) && key.startsWith('hourcast_http_requests_total'));
  expect(added.toSorted()).toEqual(
    [
      'hourcast_http_requests_total{route="/api/agents/:agent_id",method="GET",status="400"}',
      'hourcast_http_requests_total{route="/api/health",method="other",status="405"}',
      'hourcast_http_requests_total{route="/api/rounds/:round_id/results",method="GET",status="404"}',
      'hourcast_http_requests_total{route="/metrics",method="GET",status="200"}',
      'hourcast_http_requests_total{route="none",method="GET",status="404"}',
    ].filter((key) => !before.has(key)),
  );
  expect(all.get('hourcast_http_requests_total{route="/api/health",method="other",status="405"}')).toBe(5);
});

test('metrics have the present state of rounds, queues, pools, parts and sources', async () => {
  const all = await series();
  expect(all.get('hourcast_rounds{status="active"}')).toBe(1);
  expect(all.get('hourcast_rounds{status="upcoming"}')).toBe(1);
  expect(all.get('hourcast_queue_jobs{queue="resolve-round",state="delayed"}')).toBe(2);
  expect(all.get('hourcast_dependency_up{part="bus",driver="redis"}')).toBe(1);
  expect(labelsOf(all, 'hourcast_database_connections', 'pool')).toEqual(
    new Set(['api', 'exports', 'feed', 'jobs', 'registrations', 'submissions', 'urgent']),
  );
  expect(all.get('hourcast_database_connections{pool="api",state="idle"}')).toBeGreaterThan(0);
  expect(all.get('hourcast_market_source_state{source="scripted",state="up"}')).toBe(1);
  expect(all.get('hourcast_market_source_late_total{source="scripted"}')).toBe(0);
  expect(labelsOf(all, 'hourcast_ready', 'part')).toEqual(new Set(['database', 'queue', 'feed', 'rounds', 'market']));
});

test('metrics have the wait of a waiting round, and the delay of a decided one', async () => {
  expect((await series()).get('hourcast_oldest_resolving_seconds')).toBe(0);
  const round = await currentRound(service);
  await predict(service, await register(service, 'player'));
  for (const asset of ASSETS) service.market.script(asset, startOf(round), null);
  await service.nextHour(25);
  const waiting = await series();
  expect(waiting.get('hourcast_rounds{status="resolving"}')).toBe(1);
  expect(waiting.get('hourcast_oldest_resolving_seconds')).toBe(25 * 60);
  expect(waiting.has('hourcast_last_resolution_seconds')).toBe(false);
  expect(waiting.get('hourcast_resolution_failed_tries_total')).toBe(1);
  for (const asset of ASSETS) service.market.script(asset, startOf(round), ['100', '120', '90', '110']);
  service.clock.set(new Date(startOf(round).getTime() + 3_600_000 + 40 * 60_000));
  await service.turn();
  const decided = await series();
  expect(decided.get('hourcast_oldest_resolving_seconds')).toBe(0);
  expect(decided.get('hourcast_resolution_failed_tries_total')).toBe(1);
  expect(decided.get('hourcast_last_resolution_seconds')).toBe(40 * 60);
});

test('open streams are counted by transport, and not timed as requests', async () => {
  const connections = async () => (await series()).get('hourcast_feed_connections{transport="events"}');
  const stream = eventSource(`${service.url}/api/events`);
  await stream.first(1);
  expect(await connections()).toBe(1);
  stream.source.close();
  await until('the stream has ended', async () => (await connections()) === 0);
  const all = await series();
  expect(all.get('hourcast_http_requests_total{route="/api/events",method="GET",status="200"}')).toBe(1);
  expect(labelsOf(all, 'hourcast_http_request_duration_seconds_count', 'route').has('/api/events')).toBe(false);
});

test('predictions, registrations and decisions are counted over all processes', async () => {
  const named = [
    'hourcast_predictions_total',
    'hourcast_registrations_total',
    'hourcast_decisions_total{kind="resolved"}',
  ];
  const now = async () => {
    const all = await series();
    return named.map((name) => all.get(name) ?? Number.NaN);
  };
  const [predictions = 0, registrations = 0, decisions = 0] = await now();
  const player = await register(service, 'counted');
  await register(service, 'onlooker', { mode: 'spectate' });
  await predict(service, player);
  expect(await now()).toEqual([predictions + 1, registrations + 2, decisions]);
  await service.nextHour();
  expect(await now()).toEqual([predictions + 1, registrations + 2, decisions + 1]);
  expect((await series()).get('hourcast_decisions_total{kind="void"}')).toBe(0);
});

/** How many decisions are counted, by kind. */
async function decidedByKind(): Promise<readonly (number | undefined)[]> {
  const all = await series();
  return ['resolved', 'void', 'amended'].map((kind) => all.get(`hourcast_decisions_total{kind="${kind}"}`));
}

test('a second decision is counted as such, and the first keeps its count', async () => {
  await service.nextHour();
  const { body } = await service.request('GET', '/api/rounds/recent?limit=1');
  const [resolved, voided, amended = 0] = await decidedByKind();
  expect((await act(service, 'amend', body.rounds[0].id, 'It was wrong', { outcome: 'void' })).status).toBe(200);
  expect(await decidedByKind()).toEqual([resolved, voided, amended + 1]);
});

test('webhooks are counted by state, failing ones separately', async () => {
  const { id } = await register(service, 'hooked');
  const states = [
    ['active', null],
    ['active', '2026-01-01'],
    ['gone', '2026-01-01'],
  ];
  for (const [place, [state, since]] of states.entries())
    await service.newEm().execute(
      `insert into webhooks (agent_id, place, url, kinds, cursor_seq, state, failing_since)
       values (?, ?, 'https://hook.test/', '{ROUND_OPENED}', 0, ?, ?)`,
      [id, place + 1, state, since],
    );
  const all = await series();
  const found = ['active', 'failing', 'disabled', 'gone'].map((state) =>
    all.get(`hourcast_webhooks{state="${state}"}`),
  );
  expect(found).toEqual([1, 1, 0, 1]);
});

async function refusalsBy(code: string) {
  return (await series()).get(`hourcast_refusals_total{code="${code}"}`);
}

test('refusals are counted by code over all transports, from 0', async () => {
  expect(await refusalsBy('agent_blocked')).toBe(0);
  for (const [code, refuse] of [
    ['unknown_round', () => service.request('GET', '/api/rounds/4711')],
    ['method_not_allowed', () => service.request('DELETE', '/api/health')],
    ['unknown_path', () => service.request('GET', '/api/nothing')],
    ['missing_key', () => service.request('POST', '/graphql', { body: { query: '{ me { id } }' } })],
    ['invalid_document', () => service.request('POST', '/graphql', { body: { query: '{ nothing }' } })],
    ['invalid_body', () => service.request('POST', '/api/agents/register', { body: [] })],
    ['spectator_cannot_predict', async () => predict(service, await register(service, 'third', { mode: 'spectate' }))],
  ] as const) {
    const before = (await refusalsBy(code)) ?? Number.NaN;
    await refuse();
    expect([code, await refusalsBy(code)]).toEqual([code, before + 1]);
  }
});
