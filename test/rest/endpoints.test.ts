import { beforeAll, describe, expect, test } from '@jest/globals';

import { ENDPOINTS } from '../../src/rest/endpoints.ts';
import { type Player, predict, register } from '../support/agents.ts';
import { expectRefusal } from '../support/refusals.ts';
import { ADDED_ENDPOINTS, ALL_ENDPOINTS, named, pathWith } from '../support/spec-endpoints.ts';
import { sharedService } from '../support/shared.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const service = sharedService(() => ({ webhooks: 'any' }));
let player: Player;

beforeAll(async () => {
  player = await register(service, 'player');
  await predict(service, player);
  const body = { url: 'https://bot.example', kinds: ['round.void'] };
  await service.request('POST', '/api/me/webhooks', { key: player.key, body });
  await service.nextHour();
});

test('the table has the spec’s 14 endpoints in its order, then the added ones', () => {
  // Frozen boards share the board's budget, and there are none here.
  const frozen = { method: 'GET', path: '/api/leaderboard/archive/{period}' };
  expect(ENDPOINTS.map(({ method, path }) => `${method} ${path}`)).toEqual(
    [...ALL_ENDPOINTS, frozen].map(({ method, path }) => `${method} ${path}`),
  );
  expect(ALL_ENDPOINTS.slice(14)).toEqual(ADDED_ENDPOINTS);
});

describe.each(named(ALL_ENDPOINTS.filter(({ method }) => method === 'GET')))('%s', (_, row) => {
  test('a GET returns 200 as JSON or a calendar', async () => {
    const { status, headers } = await service.request('GET', pathWith(row), { key: player.key });
    const type = row.path.endsWith('.ics') ? 'text/calendar; charset=utf-8' : 'application/json; charset=utf-8';
    expect([status, headers.get('content-type')]).toEqual([200, type]);
    expect(headers.has('x-powered-by')).toBe(false);
  });

  test('HEAD returns the status and headers of GET without a body', async () => {
    const get = await service.request('GET', pathWith(row), { key: player.key });
    const head = await service.request('HEAD', pathWith(row), { key: player.key });
    expect([head.status, head.body]).toEqual([200, '']);
    for (const name of ['content-type', 'content-length']) expect(head.headers.get(name)).toBe(get.headers.get(name));
  });
});

test('an unknown query parameter is repeated without half of a character', async () => {
  const answer = await service.request('GET', `/api/stats?${'x'.repeat(59)}🎲=1`);
  expect(answer.body).toMatchObject({ code: 'unknown_parameter', param: 'x'.repeat(59) });
});

describe.each(named(ALL_ENDPOINTS))('%s', (_, row) => {
  test.each(['unknown', '__proto__', 'api_key', 'toString', 'x'.repeat(3000)])(
    'the unknown query parameter %s is refused',
    async (name) => {
      const path = pathWith(row);
      const address = `${path}${path.includes('?') ? '&' : '?'}${name}=1&${name}=2`;
      const body = row.method === 'GET' ? undefined : {};
      const answer = await service.request(row.method, address, { key: player.key, body });
      expectRefusal(answer, 400, /^(A parameter must be one of .+|There must be no query parameters) \(got "/);
      expect(answer.body).toMatchObject({ code: 'unknown_parameter', param: name.slice(0, 60) });
    },
  );
});

test.each([
  [
    '/api/leaderboard?perod=daily',
    'A parameter must be one of period, limit, order_by, min_rounds, question_type, asset (got "perod"). Did you mean "period"?',
  ],
  [
    '/api/leaderboard?Limit=5',
    'A parameter must be one of period, limit, order_by, min_rounds, question_type, asset (got "Limit"). Did you mean "limit"?',
  ],
  [
    '/api/leaderboard?zzzzzz=5',
    'A parameter must be one of period, limit, order_by, min_rounds, question_type, asset (got "zzzzzz").',
  ],
  ['/api/stats?period=daily', 'There must be no query parameters (got "period").'],
])('the unknown parameter of %s is refused with the nearest name', async (path, error) => {
  expect((await service.request('GET', path)).body).toMatchObject({ error });
});

describe.each(named(ALL_ENDPOINTS))('%s', (_, row) => {
  const methods = ALL_ENDPOINTS.filter(({ path }) => path === row.path).map(({ method }) => method);
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).toSorted();

  test.each(METHODS.filter((method) => !allowed.includes(method)))(
    'the method %s gets 405 and Allow',
    async (method) => {
      const answer = await service.request(method, pathWith(row), { key: player.key });
      const tells = answer.headers.get('allow')?.split(', ').toSorted();
      expect([answer.status, tells]).toEqual([405, allowed]);
      if (method === 'HEAD') expect(answer.body).toBe('');
      else expectRefusal(answer, 405, /accepts/);
    },
  );
});

test.each([
  ['/api/rounds/recent', 'limit', '5'],
  ['/api/leaderboard', 'limit', '5'],
  ['/api/leaderboard', 'period', 'daily'],
  ['/api/rounds/1/entries', 'limit', '5'],
  ['/api/rounds/1/entries', 'after', '0'],
  ['/api/rounds/1/results', 'limit', '5'],
  ['/api/rounds/1/results', 'after', '1'],
])('%s refuses a repeated %s, also with the same value', async (path, name, value) => {
  expect((await service.request('GET', `${path}?${name}=${value}`)).status).toBe(200);
  expectRefusal(await service.request('GET', `${path}?${name}=${value}&${name}=${value}`), 400, new RegExp(name));
  expectRefusal(await service.request('GET', `${path}?${name}=&${name}=${value}`), 400, new RegExp(name));
});

test.each([
  '/api/unknown',
  '/api/me/keys',
  '/api/rounds',
  '/api/schedules',
  '/api/rounds/1/results/1',
  '/api/rounds/1/Results',
  '/API/health',
  '/api/HEALTH',
  '/api//health',
  '//api/health',
  '/api/health%00',
  '/api/health%2F',
  '/api/%E0%A4%A',
  '/unknown',
  '/api/v1/health',
  '/constructor',
  '/api/__proto__',
  '/.env',
])('the unknown path %s gets 404', async (path) => {
  for (const method of ['GET', 'POST', 'DELETE']) expectRefusal(await service.request(method, path), 404);
});

test.each(['/api/agents/%E0%A4%A', '/api/agents/%', '/api/rounds/%ZZ/results'])(
  'the undecodable path %s gets 400',
  async (path) => {
    expectRefusal(await service.request('GET', path), 400);
  },
);

test('an unknown key is reported before an undecodable path', async () => {
  const [path, key] = ['/api/me/predictions/%ff/receipt', `pk_live_${'0'.repeat(48)}`];
  expectRefusal(await service.request('GET', path, { key }), 401);
  expectRefusal(await service.request('GET', path, { key: player.key }), 400);
});
