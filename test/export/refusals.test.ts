import { describe, expect, test } from '@jest/globals';

import { expectErrorBody } from '../support/refusals.ts';
import { startService } from '../support/service.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService();

const PATH = '/api/export/predictions.csv';

describe('refused exports', () => {
  test.each([
    ['round_id=0', /^round_id must be .*the id of a round.* \(got "0"\)/],
    ['agent_id=1e3', /^agent_id must be .* \(got "1e3"\)/],
    ['agent_name=a%27b', /^agent_name must be/],
    ['status=done', /^status must be .*one or more of upcoming, active.* \(got "done"\)/],
    ['question_type=breadth,none', /^question_type must be .* \(got "breadth,none"\)/],
    ['question_type=breadth,', /^question_type must be/],
    ['agent=a%27b', /^agent must be/],
    ['after=-1', /^after must be .*the id in the last line.* \(got "-1"\)/],
    [
      'agnet=trend',
      /^A parameter must be one of agent_id, agent, agent_name, round_id, .*is_correct, after, bom \(got "agnet"\)\. Did you mean "agent"\?$/,
    ],
    ['bom=yes', /^bom must be 1 or 0 \(got "yes"\)/],
    ['bom=1&bom=1', /^bom must be given only once/],
    ['question_type=', /^question_type must be .* \(got ""\)/],
    ['asset=btc', /^asset must be .*one or more of BTC.* \(got "btc"\)/],
    ['from=yesterday', /^from must be .*UTC time.* \(got "yesterday"\)/],
    ['to=2026-02-30T99:00:00Z', /^to must be/],
    ['from=2026-02-30', /^from must be .*UTC time.* \(got "2026-02-30"\)/],
    ['to=2026-04-31T10:00:00Z', /^to must be .*UTC time.* \(got "2026-04-31T10:00:00Z"\)/],
    ['from=2025-02-29%2010:00', /^from must be .*UTC time/],
    ['is_correct=true', /^is_correct must be .*one of 1, 0.* \(got "true"\)/],
    ['asset=BTC&asset=ETH', /^asset must be given only once \(got it 2 times\)/],
  ])('the export refuses ?%s before the first byte', async (query, message) => {
    const { status, body } = await service.request('GET', `${PATH}?${query}`);
    expect({ status, error: body.error }).toEqual({ status: 400, error: expect.stringMatching(message) });
    expectErrorBody({ status, body });
  });

  test('the NDJSON export refuses a byte order mark, which is no JSON', async () => {
    const { status, body } = await service.request('GET', '/api/export/rounds.ndjson?bom=1');
    expect({ status, param: body.param }).toEqual({ status: 400, param: 'bom' });
    expect((await service.request('HEAD', '/api/export/rounds.ndjson?bom=1')).status).toBe(400);
  });

  test('the export accepts only GET and HEAD', async () => {
    const { status, headers, body } = await service.request('POST', PATH);
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, HEAD' });
    expect(body).toEqual({ error: `${PATH} accepts GET, HEAD, not POST.`, code: 'method_not_allowed' });
    const head = await service.request('HEAD', PATH);
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
  });

  test.each(['predictions', 'rounds'])('the export of %s without a format gets the list of formats', async (name) => {
    const path = `/api/export/${name}`;
    const { status, body } = await service.request('GET', path);
    expect({ status, body }).toEqual({
      status: 404,
      body: { error: `There is no ${path}; ask for ${path}.ndjson or ${path}.csv.`, code: 'unknown_path' },
    });
  });

  test('an unknown list or format gets 404', async () => {
    expect((await service.request('GET', '/api/export/agents.csv')).status).toBe(404);
    expect((await service.request('GET', '/api/export/rounds.xlsx')).status).toBe(404);
  });

  test('exports have a rate limit of their own', async () => {
    await using limited = {
      service: await startService({ rateLimits: true }),
      [Symbol.asyncDispose]: () => limited.service.stop(),
    };
    const answers = [];
    for (let requests = 0; requests <= 10; requests += 1) answers.push(await limited.service.request('GET', PATH));
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(200), 429]);
    expect(answers[0]?.headers.get('x-ratelimit-remaining')).toBe('9');
    expect(answers.at(-1)?.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});
