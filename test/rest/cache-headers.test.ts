import { once } from 'node:events';
import { request as send, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';

import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { LIMITS } from '../../src/limits.ts';
import { ENDPOINTS } from '../../src/rest/endpoints.ts';
import { type Player, predict, register } from '../support/agents.ts';
import { reference } from '../support/reference.ts';
import { pathWith } from '../support/spec-endpoints.ts';
import { sharedService } from '../support/shared.ts';
import { stillLimiter } from '../support/still-limiter.ts';

/*
 * What caches between the service and its callers may do with each GET of THE TABLE, whichever way it is answered: by Express,
 * before Express, or from what is kept ready. Node's own client asks, since fetch adds conditions of its own.
 */

const DAY = '2026-01-01';
const STREAMS = ['/api/export/rounds.csv', '/api/export/rounds', '/api/events'];

const ROWS = ENDPOINTS.filter(({ method }) => method === 'GET').map((row) => {
  const path = row.path.includes('{period}') ? row.path.replace('{period}', DAY) : pathWith(row);
  // Own answers are those to documents that ask for something of their caller.
  const isOwn = /\b(me|viewer|ownRounds|ownLimits|webhook|receipt|predictionProof)\b/.test(row.document);
  const needsKey = LIMITS[row.limit].scope === 'agent';
  return [path, { path, isOwn, needsKey, lasts: row.cached?.immutable !== undefined }] as const;
});

const OWN = { control: 'private, no-store', vary: 'Authorization' };

let isSpent = false;
// The last hour of a day: its board is frozen when the hour is decided.
const service = sharedService(() => ({
  start: `${DAY}T23:10:00Z`,
  rateLimits: stillLimiter(() => (isSpent ? Infinity : 1)),
  trustProxy: true,
  webhooks: 'any',
}));
let player: Player;
beforeAll(async () => {
  player = await register(service, 'player');
  await predict(service, player);
  const body = { url: 'http://127.0.0.1:9/', kinds: ['round.opened'] };
  await service.request('POST', '/api/me/webhooks', { key: player.key, body });
  await service.nextHour();
});

let addresses = 0;
let from = {};
beforeEach(() => {
  isSpent = false;
  addresses += 1;
  from = { 'x-forwarded-for': `10.1.0.${addresses}` };
});

interface RequestParts {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Null: without a key. */
  readonly key?: string | null;
}

/** One request from an address of the test's own. */
async function ask(path: string, { method = 'GET', headers = {}, key = player.key }: RequestParts = {}) {
  const authorization = key === null ? {} : { authorization: `Bearer ${key}` };
  const outgoing = send(service.url + path, { method, headers: { ...from, ...authorization, ...headers } }).end();
  const [response] = await once(outgoing, 'response');
  const received: IncomingHttpHeaders = response.headers;
  const seen = { control: received['cache-control'], ...(received.vary === undefined ? {} : { vary: received.vary }) };
  return { status: Number(response.statusCode), seen, etag: received.etag ?? '', body: await text(response) };
}

/** The key of an agent that has spent nothing yet, registered from an address of its own. */
async function newKey(): Promise<string> {
  const body = { name: `spender-${addresses}` };
  const registered = await service.request('POST', '/api/agents/register', { body, headers: from });
  expect(registered.status).toBe(201);
  return registered.body.api_key;
}

describe.each(ROWS)('GET %s', (path, { isOwn, needsKey, lasts }) => {
  const expected = isOwn ? OWN : { control: lasts ? 'public, max-age=3600' : 'no-cache' };

  test('cache headers are the same for every form of the request', async () => {
    const mark = path.includes('?') ? '&' : '?';
    // The second time it may be kept ready; a query that says nothing and an odd condition lead through Express.
    for (const address of [path, path, path + mark, path + mark]) {
      const { status, seen, etag } = await ask(address);
      expect({ status, seen, hasEtag: etag !== '' }).toEqual({ status: 200, seen: expected, hasEtag: true });
    }
    for (const method of ['GET', 'HEAD']) {
      const { status, seen } = await ask(path, { method, headers: { 'if-none-match': '"a", "b"' } });
      expect({ status, seen }).toEqual({ status: 200, seen: expected });
    }
    expect((await ask(path, { method: 'HEAD' })).seen).toEqual(expected);
  });

  test('a 304 has the same cache headers', async () => {
    // What changes by the second may have changed.
    const { etag } = await ask(path);
    for (const more of [{}, { 'cache-control': 'max-age=0' }]) {
      const { status, seen } = await ask(path, { headers: { 'if-none-match': etag, ...more } });
      expect({ seen, isKnown: [200, 304].includes(status) }).toEqual({ seen: expected, isKnown: true });
    }
  });

  test('a refused request has no-store', async () => {
    const mark = path.includes('?') ? '&' : '?';
    const refused = await ask(`${path}${mark}nothing=1`);
    expect(refused).toMatchObject({ status: 400, seen: OWN });
    if (!needsKey) return;
    for (const key of [null, 'secret', `pk_live_${'0'.repeat(48)}`])
      expect(await ask(path, { key })).toMatchObject({ status: 401, seen: OWN });
  });

  test('a 429 has no-store', async () => {
    const stranger = { key: needsKey ? await newKey() : null };
    isSpent = true;
    expect(await ask(path, stranger)).toMatchObject({ status: 429, seen: OWN });
  });
});

/** The headers of an answer that depend on what the caller has stored. */
async function headersOf(headers: Readonly<Record<string, string>>) {
  const outgoing = send(`${service.url}/api/leaderboard`, { headers: { ...from, ...headers } }).end();
  const [response] = await once(outgoing, 'response');
  await text(response);
  const { statusCode, headers: given }: { statusCode: number; headers: IncomingHttpHeaders } = response;
  const names = [
    'access-control-allow-origin',
    'cross-origin-resource-policy',
    'content-security-policy',
    'x-frame-options',
  ];
  return { status: statusCode, etag: given.etag ?? '', names: names.filter((name) => name in given) };
}

test('a 304 has the headers for other origins, and leaves the others to the answer that it confirms', async () => {
  const full = await headersOf({});
  expect(full.names).toHaveLength(4);
  const unchanged = await headersOf({ 'if-none-match': full.etag });
  expect(unchanged).toEqual({
    status: 304,
    etag: full.etag,
    names: ['access-control-allow-origin', 'cross-origin-resource-policy'],
  });
});

test('the briefing and a proof, which depend on the caller, also count by address', () => {
  const own = ROWS.filter(([, { isOwn, needsKey }]) => isOwn && !needsKey).map(([path]) => path);
  expect(own).toEqual(['/api/briefing', '/api/rounds/1/predictions/1/proof']);
  expect(ROWS.filter(([, { isOwn, needsKey }]) => needsKey && !isOwn)).toEqual([]);
  const { paths } = reference().document;
  const optional = Object.entries(paths).filter(([, item]) =>
    Object.values(item).some(({ security }) => isDeepStrictEqual(security, [{}, { apiKey: [] }])),
  );
  expect(optional.map(([path]) => path)).toEqual([
    '/api/briefing',
    '/api/rounds/{round_id}/predictions/{prediction_id}/proof',
  ]);
});

describe('no-store', () => {
  test.each([...STREAMS, '/api/nothing'])('HEAD %s has no-store', async (path) => {
    expect((await ask(path, { method: 'HEAD' })).seen.control).toContain('no-store');
  });

  test('the file of an export has no-store', async () => {
    expect(await ask('/api/export/rounds.csv')).toMatchObject({ status: 200, seen: { control: 'no-store' } });
  });

  test.each(['/api/me', '/api/stats'])('a refused POST %s has no-store', async (path) => {
    expect(await ask(path, { method: 'POST' })).toMatchObject({ status: 405, seen: OWN });
  });
});

test('entries of an undecided round must be revalidated each time', async () => {
  const { status, seen } = await ask('/api/rounds/2/entries');
  expect({ status, seen }).toEqual({ status: 200, seen: { control: 'no-cache' } });
});
