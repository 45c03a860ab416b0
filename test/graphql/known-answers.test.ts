import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { register } from '../support/agents.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ rateLimits: true, logLevel: 'debug' });
  await service.nextHour();
});
afterAll(() => service.stop());

interface Sent {
  readonly query: string;
  readonly variables?: unknown;
  readonly operationName?: unknown;
  readonly extensions?: unknown;
}

/** All that a caller gets, as it comes; what changes with each request is left out. */
async function answerTo(body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const received = Object.fromEntries(response.headers);
  for (const name of ['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset']) delete received[name];
  return { status: response.status, headers: received, text: await response.text() };
}

let documents = 0;
/** The same document in a text that nobody has sent yet. */
const unknown = (query: string): string => `# ${(documents += 1)}\n${query}`;

/** How many POSTs for /graphql the metrics tell of: those that were answered with 200, and those that were timed. */
async function counted(): Promise<readonly number[]> {
  const metrics = String((await service.request('GET', '/metrics')).body);
  const lines = metrics.matchAll(
    /^hourcast_http_request.*(?:_total|_count)\{route="\/graphql",method="POST"(?:,status="200")?\} (\d+)$/gm,
  );
  return Array.from(lines, ([, figure]) => Number(figure));
}

const ROUNDS =
  'query ($first: Int = 2) { rounds(first: $first) { nodes { id question startTime assets { symbol } } } }';

/** Requests that are answered, and how. */
const CASES: readonly (readonly [string, Sent])[] = [
  ['a field without a statement', { query: '{ __typename schedule(hours: 2) { startTime questionType } }' }],
  ['rows', { query: ROUNDS }],
  ['variables', { query: ROUNDS, variables: { first: 1 } }],
  ['null for all that may be left out', { query: ROUNDS, variables: null, operationName: null, extensions: null }],
  ['an operation by its name', { query: 'query A { health { status } } query B { __typename }', operationName: 'B' }],
  ['an error of a field', { query: '{ round(id: 1) { results { id } } schedule(hours: 0) { startTime } }' }],
  ['null instead of data', { query: '{ rounds(first: 0) { nodes { id } } }' }],
  ['what needs a key', { query: '{ me { id } }' }],
  ['a refused mutation', { query: 'mutation { activate { mode } }' }],
  ['variables of another type', { query: ROUNDS, variables: { first: '1' } }],
  [
    'a size that costs too much',
    { query: '{ rounds(first: 100) { nodes { predictions(first: 100) { nodes { id } } } } }' },
  ],
  ['no operation of that name', { query: 'query A { __typename }', operationName: 'C' }],
  ['extensions', { query: ROUNDS, extensions: { some: 1 } }],
  ['a persisted query', { query: ROUNDS, extensions: { persistedQuery: { version: 1, sha256Hash: 'a' } } }],
  ['a subscription', { query: 'subscription { marketUpdated { source } }' }],
];

const ACCEPTED = [
  undefined,
  '*/*',
  'application/json',
  'application/graphql-response+json, application/json;q=0.5',
  'text/html',
];

describe('cached document', () => {
  test.each(CASES)('a cached document gets the same bytes as at first: %s', async (_, sent) => {
    const body = { ...sent, query: unknown(sent.query) };
    const first = await answerTo(body);
    expect([await answerTo(body), await answerTo(body)]).toEqual([first, first]);
  });

  test.each(ACCEPTED)('a cached document gets the media type for Accept %s as at first', async (accept) => {
    const body = { query: unknown('{ health { status } schedule(hours: 0) { startTime } }') };
    const headers = accept === undefined ? {} : { accept };
    const first = await answerTo(body, headers);
    expect(await answerTo(body, headers)).toEqual(first);
  });

  test('a cached document counts against its fields’ limits each time', async () => {
    const body = { query: unknown('{ a: health { status } b: health { status } }') };
    const remaining = async () =>
      Number((await service.request('POST', '/graphql', { body })).headers.get('x-ratelimit-remaining'));
    const [first, second, third] = [await remaining(), await remaining(), await remaining()];
    expect([first - second, second - third]).toEqual([2, 2]);
  });

  test('a cached document has the cost of its sizes in each answer', async () => {
    const query = unknown(ROUNDS);
    const costOf = async (first: number) =>
      (await service.request('POST', '/graphql', { body: { query, variables: { first } } })).body.extensions.cost.used;
    expect([await costOf(1), await costOf(2), await costOf(1), await costOf(3)]).toEqual([13, 25, 13, 37]);
  });

  test('a cached document is logged, counted and timed as at first', async () => {
    const body = { query: unknown('{ health { status } }') };
    const noted = async () => {
      const before = await counted();
      const seen = service.logged.length;
      await service.request('POST', '/graphql', { body, headers: { 'x-request-id': 'mine' } });
      const [line] = service.logged.slice(seen).map((text) => JSON.parse(text));
      const after = await counted();
      return { line: { ...line, time: '', ms: 0 }, more: after.map((figure, at) => figure - (before[at] ?? 0)) };
    };
    const first = await noted();
    expect(first).toEqual({
      line: expect.objectContaining({ requestId: 'mine', method: 'POST', route: '/graphql', status: 200 }),
      more: [1, 1],
    });
    expect(await noted()).toEqual(first);
  });

  test('an agent reads its own fields by a document that is cached for all others', async () => {
    const { id, key } = await register(service, 'own-reader');
    const query = unknown(`{ agent(id: ${id}) { name roundsCompeted } }`);
    const competed = async (more: { readonly key?: string }) =>
      (await service.request('POST', '/graphql', { body: { query }, ...more })).body.data.agent.roundsCompeted;
    const read = [await competed({}), await competed({}), await competed({ key }), await competed({})];
    expect(read).toEqual([null, null, 0, null]);
  });

  test('a cached document is answered for each caller separately', async () => {
    const query = unknown('{ me { name registeredAt } }');
    const keys = [await register(service, 'first-agent'), await register(service, 'second-agent')];
    const names = keys.map(
      async ({ key }) => (await service.request('POST', '/graphql', { body: { query }, key })).body.data.me.name,
    );
    expect(await Promise.all(names)).toEqual(['first-agent', 'second-agent']);
    expect((await service.request('POST', '/graphql', { body: { query } })).body.errors[0].extensions.code).toBe(
      'UNAUTHENTICATED',
    );
  });
});
