import { beforeAll, describe, expect, test } from '@jest/globals';

import { type Player, predict, register } from '../support/agents.ts';
import { ask } from '../support/asking.ts';
import { expectRefusal } from '../support/refusals.ts';
import { currentRound } from '../support/rounds.ts';
import type { Answer } from '../support/service.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService(() => ({ rateLimits: true, trustProxy: true }));
let player: Player;
let spectator: Player;

beforeAll(async () => {
  player = await register(service, 'player');
  spectator = await register(service, 'watching', { mode: 'spectate' });
});

/** Each question comes from an address of its own, so that no budget is spent by others. */
let addresses = 0;
function from(): Readonly<Record<string, string>> {
  addresses += 1;
  return { 'x-forwarded-for': `10.0.0.${addresses}` };
}

function post(path: string, body: unknown, { key }: Partial<Player> = {}): Promise<Answer> {
  return service.request('POST', path, { body, key, headers: from() });
}

describe('all errors at once', () => {
  test('a wrong submission gets a message, code and name for each error', async () => {
    const answer = await post('/api/predictions', { round_id: '4', confidence: 101, dry_run: 1 }, player);
    expectRefusal(answer, 400, /^round_id must be a whole number \(got "4"\)\.$/);
    expect(answer.body.errors.map(({ param, code }: Record<string, unknown>) => [param, code])).toEqual([
      ['round_id', 'invalid_parameter'],
      ['prediction', 'missing_parameter'],
      ['confidence', 'invalid_parameter'],
      ['dry_run', 'invalid_parameter'],
    ]);
    expect(answer.body).toMatchObject({ param: 'round_id', code: 'invalid_parameter' });
  });

  test('errors of types, texts and the query come together, under the request’s names', async () => {
    const body = { name: 'a', mode: 'watch', wallet_address: '0x1' };
    const answer = await post('/api/agents/register?wallet=1', body);
    expectRefusal(answer, 400, /^There must be no query parameters/);
    expect(answer.body.errors.map(({ param, error }: Record<string, unknown>) => [param, error])).toEqual([
      ['wallet', 'There must be no query parameters (got "wallet").'],
      ['name', 'name must be 3 to 50 characters, only a-z, A-Z, 0-9, "_" and "-" (got "a").'],
      ['mode', 'mode must be one of compete, spectate (got "watch").'],
      ['wallet_address', 'wallet_address must be "0x" and 40 hex digits, or 32 to 44 base58 characters (got "0x1").'],
    ]);
  });

  test('an invalid header is among the errors, under its own name', async () => {
    const { id } = await currentRound(service);
    const body = { round_id: id, prediction: 'YES', confidence: 101 };
    const headers = { ...from(), 'idempotency-key': 'x'.repeat(129) };
    const answer = await service.request('POST', '/api/predictions', { key: player.key, body, headers });
    expect(answer.body.errors.map(({ param }: Record<string, unknown>) => param)).toEqual([
      'confidence',
      'Idempotency-Key',
    ]);
  });

  test('all errors of a query are listed', async () => {
    const path = '/api/leaderboard?period=hourly&limit=1000&perod=daily';
    const answer = await service.request('GET', path, { headers: from() });
    expect(answer.body.errors.map(({ param }: Record<string, unknown>) => param)).toEqual(['perod', 'period', 'limit']);
  });

  test('GraphQL lists all errors in one, under the schema’s names', async () => {
    const document = 'mutation { register(name: "x", walletAddress: "y") { apiKey } }';
    const { errors } = await ask(service, document);
    expect(errors).toMatchObject([
      {
        message: expect.stringMatching(/^name must be/),
        extensions: {
          code: 'BAD_REQUEST',
          reason: 'invalid_parameter',
          param: 'name',
          errors: [
            { param: 'name', reason: 'invalid_parameter' },
            { param: 'walletAddress', reason: 'invalid_parameter', message: expect.stringMatching(/^walletAddress/) },
          ],
        },
      },
    ]);
  });

  test('at most five unknown parameters are listed', async () => {
    const query = Array.from({ length: 900 }, (_, n) => `unknown${n}=`).join('&');
    const { body } = await service.request('GET', `/api/stats?${query}`, { headers: from() });
    expect(body.errors).toHaveLength(5);
  });
});

describe('codes within a status', () => {
  const MALFORMED: Readonly<Record<string, () => Record<string, string>>> = {
    missing_key: () => ({}),
    key_without_bearer: () => ({ authorization: player.key }),
    malformed_key: () => ({ authorization: 'Bearer pk_live_123' }),
    invalid_key: () => ({ authorization: `Bearer pk_live_${'0'.repeat(48)}` }),
  };

  test.each(Object.keys(MALFORMED))('a malformed key gets the code %s', async (code) => {
    const headers = { ...from(), ...MALFORMED[code]?.() };
    const answer = await service.request('GET', '/api/me', { headers });
    expectRefusal(
      answer,
      401,
      /^This needs a valid API key: .*\(got .+\)\.(?: POST \/api\/agents\/register .* gives one, shown once\.)?$/,
    );
    expect(answer.body.code).toBe(code);
    expect(answer.body.error).not.toContain(player.key);
  });

  test('a replaced key gets the code invalid_key', async () => {
    const { api_key: key } = (await post('/api/agents/register', { name: 'rotating' })).body;
    await service.request('POST', '/api/me/rotate-key', { key });
    expect((await service.request('GET', '/api/me', { key, headers: from() })).body.code).toBe('invalid_key');
  });

  test('409 has a code each for a name, a second prediction and an idempotency key', async () => {
    expect((await post('/api/agents/register', { name: 'PLAYER' })).body).toMatchObject({
      code: 'name_taken',
      param: 'name',
    });
    await predict(service, player, { idempotencyKey: 'once' });
    expect((await predict(service, player)).body.code).toBe('already_predicted');
    const other = await predict(service, player, { confidence: 1, idempotencyKey: 'once' });
    expect(other.body.code).toBe('idempotency_key_reused');
  });

  test('400 has a code each for another round and for an unknown choice', async () => {
    const { api_key: key } = (await post('/api/agents/register', { name: 'late-one' })).body;
    const late = { key };
    expect((await predict(service, late, { round_id: 999 })).body).toMatchObject({
      code: 'not_current_round',
      param: 'round_id',
    });
    expect((await predict(service, late, { prediction: 'MAYBE' })).body).toMatchObject({
      code: 'invalid_parameter',
      param: 'prediction',
    });
  });

  test('403, 404, 405 and 413 have their codes', async () => {
    const { id } = await currentRound(service);
    const codes = await Promise.all([
      predict(service, spectator),
      service.request('GET', '/api/rounds/999'),
      service.request('GET', '/api/agents/999'),
      service.request('GET', '/api/agents?name=nobody'),
      service.request('GET', `/api/rounds/${id}/results`),
      service.request('GET', '/api/nothing'),
      service.request('DELETE', '/api/health'),
      post('/api/agents/register', 'x'.repeat(40_000)),
      post('/api/agents/register', '{'),
      post('/api/agents/register', '[]'),
    ]);
    expect(codes.map(({ status, body }) => [status, body.code])).toEqual([
      [403, 'spectator_cannot_predict'],
      [404, 'unknown_round'],
      [404, 'unknown_agent'],
      [404, 'unknown_agent'],
      [404, 'results_not_ready'],
      [404, 'unknown_path'],
      [405, 'method_not_allowed'],
      [413, 'body_too_large'],
      [400, 'invalid_json'],
      [400, 'invalid_body'],
    ]);
  });
});

async function fourthRegistration(headers: Readonly<Record<string, string>>): Promise<Answer> {
  const body = { name: 'a' };
  for (let n = 0; n < 3; n += 1) await service.request('POST', '/api/agents/register', { body, headers });
  return service.request('POST', '/api/agents/register', { body, headers });
}

test('pending results have retry_after: seconds until the end, then a few', async () => {
  const { id } = await currentRound(service);
  service.clock.set('2026-01-01T12:58:30.250Z');
  const running = await service.request('GET', `/api/rounds/${id}/results`, { headers: from() });
  expect(running.body).toMatchObject({ code: 'results_not_ready', retry_after: 90 });
  expect(running.headers.get('retry-after')).toBe('90');
  const { errors } = await ask(service, `{ round(id: ${id}) { results { id } } }`);
  expect(errors).toMatchObject([{ extensions: { reason: 'results_not_ready', retryAfter: 90 } }]);
});

describe('exceeded rate limit', () => {
  test('a 429 has the endpoint, the limit, the window and retry_after', async () => {
    const headers = from();
    const answers: Answer[] = [];
    for (let n = 0; n < 61; n += 1) answers.push(await service.request('GET', '/api/agents/1', { headers }));
    for (const { headers: limits } of answers) expect(limits.get('x-ratelimit-reset')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    const [last] = answers.slice(-1);
    const wait = Number(last?.headers.get('retry-after'));
    expect(last?.body).toEqual({
      error: `Rate limit for GET /api/agents/{agent_id} reached: 60 per minute. Retry in ${wait} s.`,
      code: 'rate_limited',
      endpoint: 'GET /api/agents/{agent_id}',
      limit: 60,
      window_seconds: 60,
      retry_after: wait,
    });
    expect(last?.headers.get('x-ratelimit-reset')).toBe(String(wait));
  });

  test('the 429 of registrations mentions refused ones, and RATE_LIMITS on the same machine', async () => {
    expectRefusal(await fourthRegistration(from()), 429, /s\. Refused registrations count too\.$/);
    expectRefusal(await fourthRegistration({}), 429, /Refused registrations count too\. .*RATE_LIMITS=off\.$/);
    // A proxy on the same machine, whether it is trusted or not, stands for strangers.
    for (const headers of [{ 'x-forwarded-for': '127.0.0.1' }, { via: '1.1 proxy' }, { forwarded: 'for=192.0.2.1' }])
      expectRefusal(await fourthRegistration(headers), 429, /s\. Refused registrations count too\.$/);
  });

  test('GraphQL has the same figures of a rate limit in extensions and headers', async () => {
    const headers = from();
    const send = () => service.request('POST', '/graphql', { headers, body: { query: ONE_MARKET } });
    for (let n = 0; n < 120; n += 1) await send();
    const answer = await send();
    const wait = Number(answer.headers.get('retry-after'));
    expect(answer.body.errors[0].extensions).toEqual({
      code: 'RATE_LIMITED',
      reason: 'rate_limited',
      endpoint: 'market',
      limit: 120,
      windowSeconds: 60,
      retryAfter: wait,
    });
    expect(answer.headers.get('x-ratelimit-reset')).toBe(String(wait));
  });
});

const ONE_MARKET = '{ market { source } }';
