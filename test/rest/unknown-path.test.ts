import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test.each([
  ['/api/round/current', '/api/rounds/current'],
  ['/api/Stats', '/api/stats'],
  ['/api/leaderbord', '/api/leaderboard'],
  ['/api/round/12/result', '/api/rounds/12/results'],
  ['/api/rounds/12/entry', '/api/rounds/12/entries'],
  ['/api/agent/7', '/api/agents/7'],
  ['/api/event', '/api/events'],
  ['/api/export/round.csv', '/api/export/rounds.csv'],
  ['/api/agents/bob/recordXjson', '/api/agents/bob/record.json'],
  ['/api/nothing', null],
  [`/api/${'rounds/'.repeat(20)}`, null],
])('%s is refused with the nearest path, %s', async (path, nearest) => {
  const hint = nearest === null ? '' : ` Did you mean ${nearest}?`;
  const { status, body } = await service.request('GET', path);
  const error = `There is no endpoint GET ${path}.${hint} All of them are in /openapi.json.`;
  expect({ status, body }).toEqual({ status: 404, body: { error, code: 'unknown_path' } });
});

test('an unknown path outside /api is refused without a hint', async () => {
  const { body } = await service.request('GET', '/nothing');
  expect(body).toEqual({ error: 'There is no endpoint GET /nothing.', code: 'unknown_path' });
});
