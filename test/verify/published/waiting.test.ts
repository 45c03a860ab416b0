import { createServer } from 'node:http';

import { afterAll, expect, test } from '@jest/globals';
import { z } from 'zod';

import {
  allNodes,
  type ServiceClient,
  serviceClient,
  TooCostly,
} from '../../../src/verify/published/service-client.ts';
import { listening } from '../../support/listening.ts';
import { CannotVerify } from '../../../src/verify/settings.ts';

interface Reply {
  readonly status: number;
  readonly body: string;
  readonly retryAfter?: string;
  /** The connection ends after the body, and the answer does not. */
  readonly breaksOff?: true;
}

const served = new AsyncDisposableStack();

afterAll(() => served.disposeAsync());

/** A client of a service that gives these replies one after the other, the last one again and again. */
async function clientOf(...replies: readonly Reply[]) {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    const reply = replies[Math.min(paths.length, replies.length - 1)];
    paths.push(request.url ?? '');
    response.setHeader('date', 'Thu, 01 Jan 2026 12:01:00 GMT');
    if (reply?.retryAfter !== undefined) response.setHeader('retry-after', reply.retryAfter);
    response.writeHead(reply?.status ?? 500);
    if (reply?.breaksOff) response.write(reply.body, () => response.socket?.end());
    else response.end(reply?.body);
  });
  const { url } = served.use(await listening(server));
  const [printed, waited]: [string[], number[]] = [[], []];
  const client = serviceClient(url, {
    print: (line) => printed.push(line),
    wait: async (seconds) => waited.push(seconds),
  });
  return { client, printed, waited, paths, requestCount: () => paths.length };
}

const LIMITED = { status: 429, body: '{"error":"Too many."}', retryAfter: '37' };
const FINE = { status: 200, body: '{"n":1}' };
const N = z.object({ n: z.int() });

test('a limit is waited for by Retry-After, with a message', async () => {
  const { client, printed, waited } = await clientOf(LIMITED, LIMITED, FINE);
  expect(await client.json('/api/stats', N)).toEqual({ n: 1 });
  expect(waited).toEqual([37, 37]);
  expect(printed.at(0)).toBe('The service limits the rate of requests: waiting 37 s.');
});

test.each([
  { retryAfter: 'Thu, 01 Jan 2026 12:00:00 GMT', seconds: 1 },
  { retryAfter: 'Thu, 01 Jan 2026 12:02:00 GMT', seconds: 60 },
  { retryAfter: '0', seconds: 1 },
  { retryAfter: 'soon', seconds: 1 },
  { retryAfter: '99999999', seconds: 3600 },
])('a Retry-After of $retryAfter, as proxies send it at 12:01, is $seconds s', async ({ retryAfter, seconds }) => {
  const reply = { ...LIMITED, retryAfter };
  const [rest, graph] = [await clientOf(reply, FINE), await clientOf(reply, { ...FINE, body: '{"data":{"n":1}}' })];
  expect(await rest.client.json('/api/stats', N)).toEqual({ n: 1 });
  expect(await graph.client.query('{ n }', {}, N)).toEqual({ n: 1 });
  expect([rest.waited, graph.waited]).toEqual([[seconds], [seconds]]);
});

test.each([
  { retryAfter: 12, seconds: 12 },
  { retryAfter: undefined, seconds: 37 },
])('a limit in GraphQL is waited for too, by the header at last', async ({ retryAfter, seconds }) => {
  const extensions = { code: 'RATE_LIMITED', reason: 'rate_limited', retryAfter, endpoint: '/graphql', limit: 600 };
  const error = { message: 'Too many.', extensions };
  const { client, waited } = await clientOf(
    { ...LIMITED, status: 200, body: JSON.stringify({ errors: [error, error], data: null }) },
    { status: 200, body: '{"data":{"n":1}}' },
  );
  expect(await client.query('{ n }', {}, N)).toEqual({ n: 1 });
  expect(waited).toEqual([seconds]);
});

test('a service that stays unavailable ends the check', async () => {
  const { client, requestCount } = await clientOf({ status: 503, body: '{"error":"No database."}', retryAfter: '1' });
  await expect(client.json('/api/stats', N)).rejects.toThrow(CannotVerify);
  expect(requestCount()).toBe(6);
});

test('a query that costs too much is reported with the excess', async () => {
  const limit = { name: 'cost', found: 20_000, most: 10_000 };
  const error = { message: 'Too much.', extensions: { code: 'BAD_REQUEST', limit } };
  const { client } = await clientOf({ status: 400, body: JSON.stringify({ errors: [error] }) });
  await expect(client.query('{ n }', {}, N)).rejects.toThrow(new TooCostly(`${client.url}/graphql`, limit));
});

test('a cost within its limit, which no smaller query would change, ends the check', async () => {
  const error = { message: 'Too much.', extensions: { code: 'BAD_REQUEST', limit: { found: 0, most: 10_000 } } };
  const { client } = await clientOf({ status: 400, body: JSON.stringify({ errors: [error] }) });
  const refused = client.query('{ n }', {}, N);
  await expect(refused).rejects.toThrow(/answers 400: Too much\.$/);
  await expect(refused).rejects.not.toBeInstanceOf(TooCostly);
});

function page(endCursor: string | null, nodes: readonly number[]): Reply {
  const pageInfo = { hasNextPage: true, endCursor };
  return { status: 200, body: JSON.stringify({ data: { page: { nodes, pageInfo } } }) };
}

test.each([
  { cursor: null, nodes: [1] },
  { cursor: 'a', nodes: [1] },
  { cursor: 'b', nodes: [] },
])('a list that goes on after a with $nodes to $cursor ends the check', async ({ cursor, nodes }) => {
  const { client, requestCount } = await clientOf(page('a', [1]), page(cursor, nodes));
  await expect(allNodes(client, ['{ page: agents }', {}], z.int())).rejects.toThrow(
    new CannotVerify(`${client.url}/graphql sent agents without end, to the cursor ${cursor}.`),
  );
  expect(requestCount()).toBe(2);
});

test.each([
  { reply: { status: 404, body: '{"error":"No."}' }, says: /answers 404: \{"error":"No\."\}$/ },
  { reply: { status: 200, body: '{"n":"one"}' }, says: /sent an unexpected response: n: / },
  { reply: { status: 200, body: '<html>' }, says: /sent an unexpected response: / },
])('the reply $reply ends the check', async ({ reply, says }) => {
  const { client } = await clientOf(reply);
  await expect(client.json('/api/stats', N)).rejects.toThrow(says);
});

const ROW = z.object({ id: z.int() });

async function idsIn(client: ServiceClient, path: string): Promise<readonly number[]> {
  const ids: number[] = [];
  for await (const { id } of client.lines(path, ROW)) ids.push(id);
  return ids;
}

test('an export that ends within a line is refused', async () => {
  const { client } = await clientOf({ status: 200, body: '{"id":1}\n{"id":2}\n{"id"' });
  await expect(idsIn(client, '/api/export/rounds.ndjson')).rejects.toThrow(/ends in the middle of a line\.$/);
});

test('an export that breaks off is continued after its last row', async () => {
  const { client, paths } = await clientOf(
    { status: 200, body: '{"id":1}\n{"id":4}\n', breaksOff: true },
    { status: 200, body: '{"id":5}\n{"id', breaksOff: true },
    { status: 200, body: '{"id":6}\n' },
  );
  expect(await idsIn(client, '/api/export/predictions.ndjson?to=2026-02-01')).toEqual([1, 4, 5, 6]);
  expect(paths).toEqual(
    ['', '&after=4', '&after=5'].map((more) => `/api/export/predictions.ndjson?to=2026-02-01${more}`),
  );
});

test('an export that breaks off without another row ends the check', async () => {
  const { client, requestCount } = await clientOf(
    { status: 200, body: '{"id":1}\n', breaksOff: true },
    { status: 200, body: '{"id":1}\n', breaksOff: true },
  );
  await expect(idsIn(client, '/api/export/rounds.ndjson')).rejects.toThrow(/\?after=1 cannot be reached: /);
  expect(requestCount()).toBe(2);
});
