import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { Registry } from 'prom-client';

import { openRespond } from '../../src/http/exchange.ts';
import { requestLog } from '../../src/http/request-log.ts';
import { makeLogger } from '../../src/logger.ts';
import { requestScope } from '../../src/request-scope.ts';
import { listening } from '../support/listening.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let seen = 0;

beforeAll(async () => {
  service = await startService({ logLevel: 'debug', statementMs: 50 });
});
beforeEach(() => {
  seen = service.logged.length;
});
afterAll(() => service.stop());

/** The lines since the test began. */
function lines(): Record<string, unknown>[] {
  return service.logged.slice(seen).map((line) => JSON.parse(line));
}

/** What the answer says of the id when the caller offers one. */
async function idFor(offered: string): Promise<string | null> {
  const { headers } = await service.request('GET', '/api/health', { headers: { 'x-request-id': offered } });
  return headers.get('x-request-id');
}

test('each answer has its own request id, and its log line the same', async () => {
  const answers = [];
  for (const path of ['/api/health', '/graphql', '/nothing', '/livez'])
    answers.push(await service.request('GET', path));
  const ids = answers.map(({ headers }) => headers.get('x-request-id'));
  expect(new Set(ids).size).toBe(ids.length);
  expect(lines().map(({ requestId }) => requestId)).toEqual(ids);
});

test('a valid request id of a caller is kept, and an invalid one replaced', async () => {
  for (const id of ['abc', 'a.b_c-1', '4bf92f3577b34da6a3ce929d0e0e4736', 'x'.repeat(64)])
    expect(await idFor(id)).toBe(id);
  for (const id of ['x'.repeat(65), 'a b', 'a"b', '<script>', `pk_live_${'0f'.repeat(24)}`, 'ä']) {
    expect(await idFor(id)).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
  }
});

test('a log line has the request and its result without the query', async () => {
  await service.request('GET', '/api/agents/77?key=pk_live_secret');
  expect(lines()).toEqual([
    {
      level: 'debug',
      time: expect.any(String),
      requestId: expect.any(String),
      method: 'GET',
      route: '/api/agents/:agent_id',
      path: '/api/agents/77',
      status: 400,
      ms: expect.any(Number),
      msg: 'Answered',
    },
  ]);
});

test('a request that fails by the service’s fault is logged by default', async () => {
  const blocker = service.newEm();
  await blocker.transactional(async (em) => {
    await em
      .getConnection()
      .execute('lock table agents in access exclusive mode', [], 'run', em.getTransactionContext());
    expect((await service.request('GET', '/api/agents/1')).status).toBe(503);
  });
  expect(lines()).toEqual([expect.objectContaining({ level: 'info', status: 503, path: '/api/agents/1' })]);
});

test('work in time has the id of its answer', async () => {
  const requests = requestLog({ randomBytes, registry: new Registry(), log: makeLogger('silent') });
  const respond = openRespond({ requests, headers: { full: [], unchanged: [] }, etagOf: () => '"tag"' });
  const server = createServer((request, response) => {
    void respond({ request, response }, '/', (inTime) => {
      const { requestId: body = 'none' } = inTime(requestScope);
      return { status: 200, headers: {}, body };
    });
  });
  await using listener = await listening(server);
  const answer = await fetch(listener.url);
  expect(await answer.text()).toBe(answer.headers.get('x-request-id'));
});

test('a key in an address is never logged', async () => {
  const key = `pk_live_${'0f'.repeat(24)}`;
  await service.request('GET', `/api/${key}`);
  expect(lines()).toEqual([expect.objectContaining({ path: '/api/[hidden]', status: 404 })]);
});
