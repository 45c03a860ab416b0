import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { socketClient } from '../support/socket-client.ts';
import { startService, type TestService } from '../support/service.ts';

/** Nobody's, in capitals and after other letters too; one that is broken off or mistyped is still most of a key. */
const SECRET = '0a1b2c3d4e5f'.repeat(4);
const KEY = `pk_live_${SECRET}`;

let service: TestService;
beforeAll(async () => {
  service = await startService({ logLevel: 'debug' });
});
afterAll(() => service.stop());

/** All of the answer that its reader sees. */
async function answerTo(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
  const answer = await service.request(method, path, body === undefined ? { headers } : { body, headers });
  return JSON.stringify([answer.body, ...answer.headers]);
}

const graphql = (query: string, variables: object = {}) => ['POST', '/graphql', { query, variables }] as const;

test.each<readonly [string, string, string, unknown?, Record<string, string>?]>([
  ['a name', 'POST', '/api/agents/register', { name: KEY }],
  ['a name that it is a part of', 'POST', '/api/agents/register', { name: `my key is ${KEY}, so there` }],
  ['a name, broken off', 'POST', '/api/agents/register', { name: `${'x'.repeat(30)}${KEY}` }],
  ['a name, mistyped', 'POST', '/api/agents/register', { name: `pk_live_0z${SECRET}` }],
  ['a name in capitals', 'POST', '/api/agents/register', { name: KEY.toUpperCase() }],
  ['one of several wrong fields', 'POST', '/api/agents/register', { name: 'a', mode: KEY }],
  ['a name to look up', 'GET', `/api/agents?name=${KEY}`],
  ['an id', 'GET', `/api/agents/${KEY}`],
  ['the name of a parameter', 'GET', `/api/stats?${KEY}=1`],
  ['a value of a parameter', 'GET', `/api/leaderboard?period=${KEY}`],
  ['kinds of events', 'GET', `/api/events?kinds=${KEY}`],
  ['a filter of an export', 'GET', `/api/export/predictions.csv?agent=${KEY}`],
  ['a path', 'GET', `/api/${KEY}`],
  ['a path of no page', 'GET', `/${KEY}`],
  ['the query of a page', 'GET', `/join?key=${KEY}`],
  ['the query of a page with a picture', 'GET', `/leaderboard?key=${KEY}`],
  ['a content type', 'POST', '/api/agents/register', '{}', { 'content-type': KEY }],
  ['a field of a document', ...graphql(`{ ${KEY} }`)],
  ['a text in a document', ...graphql(`{ agent(id: "${KEY}") { id } }`)],
  ['an argument', ...graphql(`{ agent(name: "${KEY}", ${KEY}: 1) { id } }`)],
  ['a name that GraphQL looks at', ...graphql(`mutation { register(name: "${KEY}") { apiKey } }`)],
  [
    'broken syntax',
    ...graphql(`
      {
        stats {
          totalAgents
        }
      }
      ${KEY}
    `),
  ],
  ['a variable', ...graphql('query ($id: Int!) { agent(id: $id) { id } }', { id: KEY })],
  ['an operation', 'POST', '/graphql', { query: '{ __typename }', operationName: KEY }],
])('a key given as %s is neither in the answer nor in the log', async (_what, ...[method, path, body, headers]) => {
  const seen = service.logged.length;
  const answer = await answerTo(method, path, body, headers);
  expect(answer.toLowerCase()).not.toContain(SECRET.slice(0, 12));
  // The caller sees what it was about.
  if (!/^\/(graphql|join|leaderboard)/.test(path)) expect(answer.toLowerCase()).toContain('pk_live_...');
  expect(service.logged.slice(seen).join('\n').toLowerCase()).not.toContain(SECRET.slice(0, 12));
});

test.each([`subscription { ${KEY} }`, `subscription { events(after: "${KEY}") { kind } }`, `{ a } ${KEY}`])(
  'a key in a WebSocket document is not in the answer: %s',
  async (query) => {
    const client = socketClient(service.url);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    client.subscribe({ query }, { next: resolve, error: resolve, complete: () => {} });
    const answer = JSON.stringify(await promise);
    await client.dispose();
    expect(answer).toContain('pk_live_...');
    expect(answer).not.toContain(SECRET.slice(0, 12));
  },
);
