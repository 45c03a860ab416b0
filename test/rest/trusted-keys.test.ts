import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Answer, startService, type TestService } from '../support/service.ts';
import { type Player, predict, register } from '../support/agents.ts';
import { expectRefusal } from '../support/refusals.ts';
import { statementsDuring } from '../resolvers/analysts/counted-statements.ts';

let database: TestDatabase;
/** Two processes of one service; the agent registered at the first, and the second knows its key. */
let one: TestService;
let two: TestService;
let player: Player;

beforeEach(async () => {
  database = await createTestDatabase();
  one = await startService({ database, rateLimits: true });
  two = await startService({ database, rateLimits: true });
  player = await register(one, 'player');
  expectRefusal(await post(two, player.key, {}), 400);
});

afterEach(async () => {
  await one.stop();
  await two.stop();
  await database.drop();
});

function post(service: TestService, key: string, body: unknown): Promise<Answer> {
  return service.request('POST', '/api/predictions', { key, body });
}

function ownProfile(key: string): Promise<Answer> {
  return two.request('GET', '/api/me', { key });
}

function left({ headers }: Answer): string | null {
  return headers.get('x-ratelimit-remaining');
}

async function rotated(): Promise<string> {
  const { body } = await one.request('POST', '/api/me/rotate-key', { key: player.key });
  return body.api_key;
}

async function entries(): Promise<number> {
  return (await one.request('GET', '/api/rounds/1/entries')).body.entries.length;
}

test('a submission with a cached key needs one statement', async () => {
  const offer = await anOffer();
  const statements = await statementsDuring(async () => {
    expect((await post(two, player.key, offer)).status).toBe(201);
  });
  expect(statements).toEqual([expect.stringContaining('insert into predictions')]);
});

async function anOffer() {
  const { round } = (await one.request('GET', '/api/rounds/current')).body;
  return { round_id: round.id, prediction: round.choices[0], confidence: 60 };
}

describe('key replaced by another process', () => {
  test('a replaced key is refused despite a cached answer, and the new key is accepted', async () => {
    // The second answer is the kept one.
    const [first, second] = [await ownProfile(player.key), await ownProfile(player.key)];
    expect(second.body).toEqual(first.body);
    const key = await rotated();
    expectRefusal(await ownProfile(player.key), 401, /valid API key/);
    expect((await ownProfile(key)).body).toEqual(first.body);
  });

  test('a replaced key is refused for submissions, and counts by address', async () => {
    const offer = await anOffer();
    await rotated();
    const refused = [await post(two, player.key, offer), await post(two, player.key, offer)];
    for (const answer of refused) expectRefusal(answer, 401, /valid API key/);
    expect(refused.map(left)).toEqual(['29', '28']);
    expect(await entries()).toBe(0);
  });

  test.each([
    ['a body of another shape', { round_id: 'one' }],
    ['a body that is broken', '{broken'],
    ['a body that is too large', 'x'.repeat(40_000)],
    ['a confidence out of range', { round_id: 1, prediction: 'YES', confidence: 101 }],
  ])('a replaced key gets 401 before %s is reported', async (_, body) => {
    await rotated();
    const refused = await post(two, player.key, body);
    expectRefusal(refused, 401, /valid API key/);
    expect(left(refused)).toBe('29');
  });

  test('a replaced key gets UNAUTHENTICATED over GraphQL', async () => {
    const { round_id, prediction } = await anOffer();
    await rotated();
    const query = `mutation { submitPrediction(roundId: ${round_id}, prediction: "${prediction}", confidence: 60) { id } }`;
    const answer = await two.request('POST', '/graphql', { key: player.key, body: { query } });
    expect(answer.body.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(await entries()).toBe(0);
  });

  test('a replaced key counts once against its agent’s limit, and the new key has the rest', async () => {
    const key = await rotated();
    for (let time = 0; time < 3; time += 1) expectRefusal(await post(two, player.key, {}), 401);
    const answer = await post(two, key, await anOffer());
    expect([answer.status, left(answer)]).toEqual([201, '27']);
  });

  test('a replaced key gets 401 also when its agent’s limit is exceeded', async () => {
    for (let time = 0; time < 29; time += 1) await post(two, player.key, {});
    expectRefusal(await post(two, player.key, {}), 429);
    await rotated();
    const refused = await post(two, player.key, await anOffer());
    expectRefusal(refused, 401, /valid API key/);
    expect(left(refused)).toBe('29');
  });
});

test('a key that the same process replaced does not count against its agent’s limit', async () => {
  expectRefusal(await post(one, player.key, {}), 400);
  const key = await rotated();
  expectRefusal(await post(one, player.key, await anOffer()), 401);
  const answer = await post(one, key, await anOffer());
  expect([answer.status, left(answer)]).toEqual([201, '28']);
});

test('a spectator activated at another process predicts at once', async () => {
  const spectator = await register(one, 'spectator', { mode: 'spectate' });
  expectRefusal(await predict(two, spectator), 403);
  await one.request('POST', '/api/me/activate', { key: spectator.key });
  expect((await predict(two, spectator)).status).toBe(201);
});
