import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { currentRound } from '../support/rounds.ts';
import { type Answer, startService, type TestService } from '../support/service.ts';

/*
 * Plain requests for the rows of THE TABLE that are `quick` are answered before Express sees them. Another spelling of the
 * content type, or a condition that never holds, sends the same request through the router. That the plain ones do go
 * the quick way is held by test/ways.test.ts.
 */

let service: TestService;
let round: Awaited<ReturnType<typeof currentRound>>;
let count = 0;

beforeAll(async () => {
  service = await startService({ rateLimits: true, trustProxy: true });
  round = await currentRound(service);
});
afterAll(() => service.stop());

interface Asked {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const SUBMISSION = (fields: object = {}) => ({
  round_id: round.id,
  prediction: round.choices[0],
  confidence: 60,
  ...fields,
});

function ask(isQuick: boolean, { key, body, headers }: Asked): Promise<Answer> {
  const aside =
    body === undefined
      ? { 'if-none-match': 'W/"none"', 'cache-control': 'max-age=0' }
      : { 'content-type': 'application/json;charset=UTF-8' };
  return service.request(body === undefined ? 'GET' : 'POST', body === undefined ? '/api/me' : '/api/predictions', {
    key,
    body,
    headers: { ...(isQuick ? {} : aside), ...headers },
  });
}

/** Of the moment, or of the one who asks. */
const OWN_HEADERS = new Set(['date', 'etag', 'content-length', 'retry-after', 'x-ratelimit-reset']);

/** Asks in both ways, each time as a new agent from a new address; what is different by that is left out. */
async function bothWays(mode: string, times: number, asked: (key: string) => Asked) {
  const seen: object[] = [];
  for (const isQuick of [true, false]) {
    count += 1;
    const from = { 'x-forwarded-for': `10.2.0.${count}`, 'x-request-id': 'asked' };
    const registered = { body: { name: `quick-${1000 + count}`, mode }, headers: from };
    const { body } = await service.request('POST', '/api/agents/register', registered);
    const { headers, ...rest } = asked(body.api_key);
    let answer = await ask(isQuick, { ...rest, headers: { ...from, ...headers } });
    for (let n = 1; n < times; n += 1) answer = await ask(isQuick, { ...rest, headers: { ...from, ...headers } });
    const text = JSON.stringify(answer.body).replaceAll(/"(id|agent_id|retry_after)":\d+|quick-\d+|Retry in \d+/g, '');
    const named = [...answer.headers].filter(([name]) => !OWN_HEADERS.has(name));
    const hasEtag = answer.headers.has('etag');
    seen.push({ status: answer.status, text, headers: Object.fromEntries(named), hasEtag });
  }
  return seen;
}

type Case = readonly [what: string, status: number, asked: (key: string) => Asked, times?: number, mode?: string];

const CASES: readonly Case[] = [
  ['a submission', 201, (key) => ({ key, body: SUBMISSION() })],
  ['one that is only checked', 200, (key) => ({ key, body: SUBMISSION({ dry_run: true }) })],
  ['a second one', 409, (key) => ({ key, body: SUBMISSION() }), 2],
  ['a repeat', 201, (key) => ({ key, body: SUBMISSION(), headers: { 'idempotency-key': 'once' } }), 2],
  ['one beyond the budget', 429, (key) => ({ key, body: SUBMISSION() }), 31],
  ['one of a spectator', 403, (key) => ({ key, body: SUBMISSION() }), 1, 'spectate'],
  ['one without a key', 401, () => ({ body: SUBMISSION() })],
  ['one with a key of nobody', 401, () => ({ key: `pk_live_${'0'.repeat(48)}`, body: SUBMISSION() })],
  ['one with something that is no key', 401, () => ({ key: 'secret', body: SUBMISSION() })],
  ['one for another round', 400, (key) => ({ key, body: SUBMISSION({ round_id: 77 }) })],
  ['one of wrong types', 400, (key) => ({ key, body: SUBMISSION({ round_id: '1', confidence: 101 }) })],
  ['one without fields', 400, (key) => ({ key, body: {} })],
  ['a list', 400, (key) => ({ key, body: [] })],
  ['broken JSON', 400, (key) => ({ key, body: '{"round_id":' })],
  ['text beyond Latin-1', 400, (key) => ({ key, body: SUBMISSION({ prediction: '日本' }) })],
  ['a body that is too large', 413, (key) => ({ key, body: ' '.repeat(20_000) })],
  ['the own profile', 200, (key) => ({ key })],
  ['the own profile once more', 200, (key) => ({ key }), 2],
  ['a profile without a key', 401, () => ({})],
  ['a profile beyond the budget', 429, (key) => ({ key }), 31],
];

describe('the same answer, with the same headers, comes the quick way and from the router to', () => {
  test.each(CASES)('%s (%i)', async (_, status, asked, times = 1, mode = 'compete') => {
    const [quick, routed] = await bothWays(mode, times, asked);
    expect(quick).toEqual(routed);
    expect(quick).toMatchObject({ status });
    expect(service.reported).toEqual([]);
  });
});

test('an own profile is a 304 to who has it, and another one after what changes it', async () => {
  const from = { 'x-forwarded-for': '10.3.0.1' };
  const { body } = await service.request('POST', '/api/agents/register', { body: { name: 'changing' }, headers: from });
  const key: string = body.api_key;
  const first = await ask(true, { key });
  const etag = first.headers.get('etag') ?? '';
  const again = (): Promise<Answer> =>
    service.request('GET', '/api/me', { key, headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } });
  expect((await again()).status).toBe(304);
  expect((await ask(true, { key, body: SUBMISSION() })).status).toBe(201);
  expect((await ask(true, { key })).body.recent_predictions).toHaveLength(1);
  expect((await again()).status).toBe(200);
});
