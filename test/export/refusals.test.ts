import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { LIMITS } from '../../src/limits.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const PATH = '/api/export/predictions.csv';

describe('an export', () => {
  test.each([
    ['round_id=0', /^round_id does not take "0"\. It takes a round's id/],
    ['agent_id=1e3', /^agent_id does not take "1e3"/],
    ['agent_name=a%27b', /^agent_name does not take/],
    ['status=done', /^status does not take "done"\. It takes one or more of upcoming, active/],
    ['question_type=breadth,none', /^question_type does not take "breadth,none"/],
    ['question_type=breadth,', /^question_type does not take/],
    ['agent=a%27b', /^agent does not take/],
    ['after=-1', /^after does not take "-1"\. It takes the id in the last line/],
    [
      'agnet=trend',
      /^There is no parameter "agnet"; there are agent_id, agent, agent_name, round_id, .*is_correct, after\.$/,
    ],
    ['question_type=', /^question_type does not take ""/],
    ['asset=btc', /^asset does not take "btc"\. It takes one or more of BTC/],
    ['from=yesterday', /^from does not take "yesterday".*UTC time/],
    ['to=2026-02-30T99:00:00Z', /^to does not take/],
    ['is_correct=true', /^is_correct does not take "true"\. It takes one of 1, 0/],
    ['asset=BTC&asset=ETH', /^asset is given 2 times; give it once/],
  ])('refuses ?%s before the first byte', async (query, message) => {
    const { status, body } = await service.request('GET', `${PATH}?${query}`);
    expect({ status, body }).toEqual({ status: 400, body: { error: expect.stringMatching(message) } });
  });

  test('takes GET and HEAD alone', async () => {
    const { status, headers, body } = await service.request('POST', PATH);
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, HEAD' });
    expect(body).toEqual({ error: `${PATH} takes GET, HEAD, not POST.` });
    expect((await service.request('HEAD', PATH)).status).toBe(200);
  });

  test.each(['predictions', 'rounds'])('of %s without a format is told which there are', async (name) => {
    const path = `/api/export/${name}`;
    const { status, body } = await service.request('GET', path);
    expect({ status, body }).toEqual({
      status: 404,
      body: { error: `There is no ${path}; ask for ${path}.ndjson or ${path}.csv.` },
    });
  });

  test('is none of a list or a format that is not offered', async () => {
    expect((await service.request('GET', '/api/export/agents.csv')).status).toBe(404);
    expect((await service.request('GET', '/api/export/rounds.xlsx')).status).toBe(404);
  });

  test('has a budget of its own', async () => {
    await using limited = {
      service: await startService({ rateLimits: true }),
      [Symbol.asyncDispose]: () => limited.service.stop(),
    };
    const { requests } = LIMITS.exports;
    const answers = [];
    for (let asked = 0; asked <= requests; asked += 1) answers.push(await limited.service.request('GET', PATH));
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: requests }, () => 200), 429]);
    expect(answers[0]?.headers.get('x-ratelimit-remaining')).toBe(String(requests - 1));
    expect(answers.at(-1)?.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});
