import { describe, expect, test } from '@jest/globals';

import { WEBHOOK_KINDS } from '../../src/entities/event.ts';
import { register } from '../support/agents.ts';
import { untilItBlocks } from '../support/poll.ts';
import { expectRefusal } from '../support/refusals.ts';
import type { Answer } from '../support/service.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService(() => ({ webhooks: 'public' }));
const off = sharedService();

const URL = 'https://bot.example/hourcast';
const KINDS = ['round.opened', 'round.resolved'];

async function agentAt(where: typeof service, name: string) {
  const { key } = await register(where, name);
  return {
    key,
    ask: (method: string, path = '', body?: object) => where.request(method, `/api/me/webhooks${path}`, { key, body }),
  };
}

test('a webhook starts at the end of the log, and is only in its agent’s own profile', async () => {
  const { key, ask } = await agentAt(service, 'beginner');
  await service.nextHour();
  const { status, body } = await ask('POST', '', { url: URL, kinds: KINDS });
  const { webhook } = body;
  expect(status).toBe(201);
  expect(webhook).toEqual({
    id: expect.any(Number),
    url: URL,
    kinds: KINDS,
    cursor: expect.any(Number),
    state: 'active',
    failing_since: null,
  });
  const [[end] = []] = await service.statements.rows({ name: null, text: 'select last_seq from platform' }, []);
  expect(webhook.cursor).toBe(end);
  expect((await ask('GET')).body).toEqual({ webhooks: [webhook] });
  const { body: own } = await service.request('GET', '/api/me', { key });
  expect(own.agent.webhooks).toEqual([webhook]);
  const query = '{ agent(name: "beginner") { webhooks { url } } }';
  expect((await service.request('POST', '/graphql', { body: { query } })).body).toMatchObject({
    data: { agent: { webhooks: null } },
  });
});

test('a deleted webhook disappears from the cached profile', async () => {
  const { key, ask } = await agentAt(service, 'ender');
  const { body } = await ask('POST', '', { url: URL, kinds: KINDS });
  const webhooks = async () => (await service.request('GET', '/api/me', { key })).body.agent.webhooks;
  expect(await webhooks()).toHaveLength(1);
  expect((await ask('DELETE', `/${body.webhook.id}`)).body).toEqual(body);
  expect(await webhooks()).toEqual([]);
  expectRefusal(await ask('DELETE', `/${body.webhook.id}`), 404, /no webhook/);
});

test('an agent has at most three webhooks, also by concurrent requests, and sees only its own', async () => {
  const { ask } = await agentAt(service, 'collector');
  const answers = await Promise.all(KINDS.concat(KINDS, KINDS).map(() => ask('POST', '', { url: URL, kinds: KINDS })));
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    201, 201, 201, 409, 409, 409,
  ]);
  expectRefusal(await ask('POST', '', { url: URL, kinds: KINDS }), 409, /at most 3/);
  const [mine] = (await ask('GET')).body.webhooks;
  const other = await agentAt(service, 'stranger');
  for (const [method, path] of [
    ['DELETE', ''],
    ['POST', '/test'],
    ['POST', '/replay?after=0'],
    ['GET', '/deliveries'],
  ] as const)
    expectRefusal(await other.ask(method, `/${mine.id}${path}`), 404, /no webhook/);
});

test('an agent removed during the request gets no webhook, but the error of an unknown key', async () => {
  const { key, ask } = await agentAt(service, 'removed-meanwhile');
  const deliveries = await service.newEm().transactional(async (transaction) => {
    await transaction.execute(`update agents set removed_at = now() where name = 'removed-meanwhile'`);
    const waiting = ask('POST', '', { url: URL, kinds: KINDS });
    await untilItBlocks(transaction);
    return { waiting };
  });
  const answer = await deliveries.waiting;
  expectRefusal(answer, 401, /valid API key/);
  expect(answer.body.code).toBe('invalid_key');
  expect((await service.request('GET', '/api/me/webhooks', { key })).body).toEqual({ webhooks: [] });
});

function accepted(answers: readonly Answer[]): number {
  return answers.filter(({ status }) => status === 200).length;
}

test('concurrent tests of a webhook are all counted, and one concurrent deletion succeeds', async () => {
  const { ask } = await agentAt(service, 'hasty');
  const { id } = (await ask('POST', '', { url: URL, kinds: KINDS })).body.webhook;
  const atOnce = (method: string, path: string) =>
    Promise.all(Array.from({ length: 8 }, () => ask(method, `/${id}${path}`)));
  const answers = await atOnce('POST', '/test');
  const text = `select tests_asked from webhooks where id = ${id}`;
  expect(await service.statements.rows({ name: null, text }, [])).toEqual([[accepted(answers)]]);
  expect(accepted(await atOnce('DELETE', ''))).toBe(1);
});

test('a replay moves the cursor back to any stored event', async () => {
  const { ask } = await agentAt(service, 'replayer');
  const { id } = (await ask('POST', '', { url: URL, kinds: KINDS })).body.webhook;
  expect((await ask('POST', `/${id}/replay?after=1`)).body.webhook).toMatchObject({ id, cursor: 1 });
  expectRefusal(await ask('POST', `/${id}/replay?after=100000`), 400, /oldest stored event/);
  expectRefusal(await ask('POST', `/${id}/replay`), 400, /required/);
});

describe('refusals', () => {
  test.each([
    ['no list', 'round.opened'],
    ['an empty list', []],
    ['a kind that there is not', ['round.opened', 'round.begun']],
    ['a kind as the log spells it', ['ROUND_OPENED']],
    ['a number', [1]],
  ])('the kinds %s are refused', async (_what, kinds) => {
    const { ask } = await agentAt(service, `kinds${JSON.stringify(kinds).length}`);
    const { status, body } = await ask('POST', '', { url: URL, kinds });
    expect([status, body.param]).toEqual([400, 'kinds']);
  });

  test('an address that is too long for a call is refused', async () => {
    const { ask } = await agentAt(service, 'far-away');
    const [near, far] = [100, 900].map((length) => `${URL}/${'é'.repeat(length)}`);
    expectRefusal(await ask('POST', '', { url: far, kinds: KINDS }), 400, /at most 1000 characters/);
    expect((await ask('POST', '', { url: near, kinds: KINDS })).body.webhook.url).toBe(encodeURI(String(near)));
  });

  test('webhooks that are off can be listed and deleted, but send nothing', async () => {
    const { ask } = await agentAt(off, 'beforehand');
    expectRefusal(
      await ask('POST', '', { url: URL, kinds: KINDS }),
      403,
      /not turned them on with the setting WEBHOOKS/,
    );
    for (const path of ['test', 'replay?after=0'])
      expectRefusal(await ask('POST', `/1/${path}`), 403, /not turned them on/);
    expect((await ask('GET')).body).toEqual({ webhooks: [] });
    expectRefusal(await ask('DELETE', '/1'), 404, /no webhook/);
  });
});

test('a webhook accepts every kind of the log', async () => {
  const { ask } = await agentAt(service, 'all-kinds');
  const { body } = await ask('POST', '', { url: URL, kinds: [...WEBHOOK_KINDS, ...WEBHOOK_KINDS] });
  expect(body.webhook.kinds).toEqual(WEBHOOK_KINDS);
});

test('the service has one signing key from the start, with a public half for everybody', async () => {
  const { body } = await off.request('GET', '/.well-known/hourcast-keys.json');
  expect(body).toEqual({
    log_origin: expect.stringMatching(/^hourcast\.log\/[\da-f]{16}$/),
    keys: [
      {
        public_key: expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/),
        verifier: expect.stringMatching(/^hourcast\.log\/[\da-f]{16}\+[\da-f]{8}\+[A-Za-z0-9+/]{44}$/),
        created_at: expect.any(String),
        retired_at: null,
        note: null,
        signatures: [],
      },
    ],
  });
});
