import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { costMeter } from '../../src/graphql/cost.ts';
import { errorFormatter } from '../../src/graphql/errors.ts';
import { knownDocuments } from '../../src/graphql/known-documents.ts';
import { quickDocuments } from '../../src/graphql/quick-documents.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';
import { DomainError } from '../../src/rules/errors.ts';

const KNOWN = '{ __typename }';
const ANSWER = '{"data":{"__typename":"Query"},"extensions":{"cost":{"used":1,"most":10000,"left":9999}}}\n';

const schema = makeSchema();
let server: Server;
let port: number;
/** The bodies of the requests that were left to the router. */
let left: string[];
let noted: object[];
let budget: number;
/** How often a document was looked for. */
let lookups: number;
/** How long counting a request takes. */
let counting: (request: IncomingMessage) => Promise<unknown>;

beforeAll(async () => {
  const documents = knownDocuments(schema, costMeter(schema));
  documents.check(KNOWN);
  const find = (query: string) => {
    lookups += 1;
    return documents.find(query);
  };
  const listener = quickDocuments({
    path: '/graphql',
    documents: { ...documents, find },
    format: errorFormatter(() => {}),
    admission: {
      async admit(request) {
        await counting(request);
        if ((budget -= 1) < 0) throw new DomainError('RATE_LIMITED', 'Too many.');
      },
      contextOf: () => ({ allowance: null, admit: async () => {} }),
    },
    kept: { current: () => null, answer: () => Promise.reject(new Error('None of these is kept')) },
    counted: { spend: async () => ({ isWithin: true, allowance: null }) },
    newContext: () => ({}),
    watch: { idOf: () => 'asked', noteWritten: (_exchange, one) => void noted.push(one), handler: () => {} },
    headers: ['X-Always', 'there'],
  });
  server = createServer(async (request, response) => {
    if (await listener(request, response)) return;
    left.push(await text(request));
    response.end('left');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: given }: Pick<AddressInfo, 'port'> = Object(server.address());
  port = given;
});
beforeEach(() => {
  left = [];
  noted = [];
  lookups = 0;
  budget = 10;
  counting = async () => {};
});
afterAll(() => void server.close());

const post = (body: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });

const KNOWN_BODY = JSON.stringify({ query: KNOWN });

describe('a POST of a known document', () => {
  test('is answered before the router sees it, and noted once', async () => {
    const answer = await post(KNOWN_BODY);
    expect(await answer.text()).toBe(ANSWER);
    expect(answer.headers.get('x-always')).toBe('there');
    expect(left).toEqual([]);
    expect(noted).toEqual([{ id: 'asked', route: '/graphql', status: 200, began: expect.any(Number) }]);
  });

  test('is parsed and looked for once where its answer is not kept', async () => {
    await post(KNOWN_BODY);
    expect(lookups).toBe(1);
  });

  test('leaves its connection to the next request', async () => {
    const answers = await rawAnswers([requestOf(KNOWN_BODY), requestOf(KNOWN_BODY, 'Connection: close')]);
    expect(answers.split(ANSWER).length - 1).toBe(2);
  });

  test('is left to the router, counted and unread, when its body comes behind its head', async () => {
    const [head = ''] = requestOf(KNOWN_BODY, 'Connection: close').split(KNOWN_BODY);
    expect(await rawAnswers([head, KNOWN_BODY])).toContain('left');
    expect({ left, budget }).toEqual({ left: [KNOWN_BODY], budget: 9 });
  });

  test('is answered when its body comes while it is counted', async () => {
    counting = (request) => once(request, 'readable');
    const [head = ''] = requestOf(KNOWN_BODY, 'Connection: close').split(KNOWN_BODY);
    expect(await rawAnswers([head, KNOWN_BODY])).toContain(ANSWER);
    expect({ left, lookups }).toEqual({ left: [], lookups: 1 });
  });

  test('is left to the router, with its body, when the budget is spent', async () => {
    budget = 0;
    expect(await (await post(KNOWN_BODY)).text()).toBe('left');
    expect(left).toEqual([KNOWN_BODY]);
  });

  test('is answered, and another is left whole, when all has arrived before it is counted', async () => {
    counting = () => new Promise(setImmediate);
    expect(await (await post(KNOWN_BODY)).text()).toBe(ANSWER);
    expect(await (await post(`${KNOWN_BODY} `.repeat(2))).text()).toBe('left');
    expect(left).toEqual([`${KNOWN_BODY} `.repeat(2)]);
  });
});

describe('a request is left to the router, with its body,', () => {
  test.each([
    ['of another document', JSON.stringify({ query: '{ __typename __typename }' }), {}],
    ['of broken JSON', `${KNOWN_BODY}}`, {}],
    ['with extensions', JSON.stringify({ query: KNOWN, extensions: { some: 1 } }), {}],
    ['of another type', KNOWN_BODY, { 'content-type': 'text/plain' }],
    ['in another encoding', KNOWN_BODY, { 'content-encoding': 'identity' }],
    ['that takes another type', KNOWN_BODY, { accept: 'application/graphql-response+json' }],
  ])('%s', async (_, body, headers) => {
    expect(await (await post(body, headers)).text()).toBe('left');
    expect({ left, noted }).toEqual({ left: [body], noted: [] });
  });
});

function requestOf(body: string, header = 'Connection: keep-alive'): string {
  const head = ['POST /graphql HTTP/1.1', 'Host: here', 'Content-Type: application/json', header];
  return `${[...head, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`;
}

/** All that comes back on one connection on which these are sent, each once the server has read the one before. */
async function rawAnswers([first = '', second = '']: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  const answers = text(socket);
  const seen = once(server, 'request');
  socket.write(first);
  await seen;
  await new Promise(setImmediate);
  socket.write(second);
  return answers;
}
