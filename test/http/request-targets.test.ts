import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { rawHttp } from '../feed/raw-http.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** The status and the whole answer of a request line that no client library would send. */
async function answerTo(line: string) {
  const { text } = await rawHttp(service.url, `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  return { status: Number(head.split(' ')[1]), head, body };
}

describe('request targets', () => {
  test.each([
    'GET http://a:99999999/rounds',
    'GET http://a:99999999/api/stats',
    'GET http://[bad/rounds',
    'GET http://[bad/api/stats',
    'HEAD http://[bad/rounds',
    'POST http://[bad/graphql',
  ])('an invalid request target is refused as unreadable: %s', async (line) => {
    const { status, head, body } = await answerTo(line);
    expect(status).toBe(400);
    expect(head).toContain('Content-Type: application/json; charset=utf-8');
    const error = 'The address of the request cannot be read.';
    if (line.startsWith('HEAD')) expect(body).toBe('');
    else expect(JSON.parse(body)).toEqual({ error, code: 'unreadable_request' });
    expect(service.reported).toEqual([]);
  });

  test.each([
    ['GET http://any.example/api/stats', 200],
    ['GET http://any.example/rounds?state=void', 200],
    ['GET *', 404],
    ['OPTIONS *', 404],
    ['GET //rounds', 404],
    ['GET //a:99999999/rounds', 404],
    ['GET /%ff', 404],
    ['GET /api/rounds/%ff', 400],
    ['GET /rounds?%ff', 200],
    ['GET /preview/rounds.png?%ff', 200],
    ['GET http://any.example', 200],
    ['GET http://any.example/%61pi/stats', 200],
    ['GET http://any.example/metrics', 200],
    ['GET http://any.example/metric%73', 404],
    ['GET /metric%73', 404],
  ])('an odd but valid request target is answered: %s (%i)', async (line, expected) => {
    const { status, body } = await answerTo(line);
    expect(status).toBe(expected);
    if (status >= 400) expect(JSON.parse(body)).toHaveProperty('error');
    expect(service.reported).toEqual([]);
  });
});
