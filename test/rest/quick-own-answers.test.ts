import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';

import type { KeptAnswer } from '../../src/http/kept-answers.ts';
import { quickAnswers } from '../../src/rest/quick-answers.ts';

/* What becomes of a kept answer for one agent alone, by what the database says of the key. */

const BYTES = Buffer.from('{"agent":7}');
const KEPT: KeptAnswer = {
  bytes: BYTES,
  text: BYTES.toString('latin1'),
  etag: 'W/"7"',
  headers: {},
  quickRoute: { route: '/api/me', limits: ['me'] },
};

let server: Server;
let url: string;
/** What looking the key up comes to. */
let holds: () => Promise<boolean>;
let kept: Map<string, KeptAnswer>;
let spent: (number | undefined)[];
let noted: object[];

beforeAll(async () => {
  const listener = quickAnswers({
    kept: { current: (key) => kept.get(key) ?? null, answer: () => Promise.reject(new Error('It must not be called')) },
    watch: { idOf: () => 'asked', noteWritten: (_exchange, one) => void noted.push(one), handler: () => {} },
    counted: {
      async spend(_request, _limits, agentId) {
        spent.push(agentId);
        return { isWithin: true, allowance: null };
      },
    },
    presumed: ({ headers }) => (headers.authorization === undefined ? null : { id: 7, holds: () => holds() }),
    headers: [],
    etagOf: (text) => `W/"${text.length}"`,
    report: () => {},
  });
  server = createServer(async (request, response) => {
    if ((await listener(request, response)) !== true) response.end('left');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port }: Pick<AddressInfo, 'port'> = Object(server.address());
  url = `http://127.0.0.1:${port}/api/me`;
});
beforeEach(() => {
  holds = async () => true;
  kept = new Map([['/api/me of 7', KEPT]]);
  [spent, noted] = [[], []];
});
afterAll(() => void server.close());

const ask = (headers: Readonly<Record<string, string>> = { authorization: 'Bearer any' }): Promise<Response> =>
  fetch(url, { headers });

test('it is sent when the key holds, and the agent’s budget is spent', async () => {
  expect(await (await ask()).text()).toBe('{"agent":7}');
  expect(spent).toEqual([7]);
  expect(noted).toMatchObject([{ route: '/api/me', status: 200 }]);
});

test('it is left to the router when the key does not hold any more, and without a key', async () => {
  expect(await (await ask({})).text()).toBe('left');
  holds = async () => false;
  expect(await (await ask()).text()).toBe('left');
  expect({ spent, noted }).toEqual({ spent: [], noted: [] });
});

test('it is left to the router when it became void while the key was looked up', async () => {
  holds = async () => {
    kept.clear();
    return true;
  };
  expect(await (await ask()).text()).toBe('left');
});

test('a database out of reach is a 503 with Retry-After', async () => {
  holds = () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
  const answer = await ask();
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await answer.json()).toMatchObject({ code: 'database_unavailable' });
  expect(noted).toMatchObject([{ route: '/api/me', status: 503 }]);
});
