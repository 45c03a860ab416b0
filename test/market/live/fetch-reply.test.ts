import { createServer, type RequestListener } from 'node:http';

import { describe, expect, test } from '@jest/globals';

import { type Fetch, fetchReply, parseExactJson } from '../../../src/market/live/fetch-reply.ts';
import { listening } from '../../support/listening.ts';

const NEVER = new AbortController().signal;

function replyOf(url: string, { fetch = globalThis.fetch, signal }: { fetch?: Fetch; signal?: AbortSignal } = {}) {
  return fetchReply(url, { fetch, timeoutMs: 60_000, stopping: NEVER, signal, realNow: () => new Date() });
}

async function replyFrom(listener: RequestListener) {
  await using server = await listening(createServer(listener));
  return await replyOf(server.url);
}

const jsonOf =
  (body: string | Buffer): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(body);

describe('reply of a source', () => {
  test('a reply of 256 KiB is read, and a longer one is broken', async () => {
    const text = `"${'x'.repeat(2 ** 18 - 2)}"`;
    expect((await replyFrom(jsonOf(text))).body).toHaveLength(2 ** 18 - 2);
    await expect(replyFrom(jsonOf(`${text} `))).rejects.toMatchObject({
      kind: 'broken',
      message: 'Its answer is longer than 262144 bytes.',
    });
  });

  test('a redirect is refused, even to a sound reply', async () => {
    await using other = await listening(createServer(jsonOf('[]')));
    const redirect: RequestListener = (_request, response) =>
      void response.writeHead(302, { location: other.url }).end();
    await expect(replyFrom(redirect)).rejects.toMatchObject({ kind: 'silent' });
  });

  test('bytes that are not UTF-8 are broken', async () => {
    await expect(replyFrom(jsonOf(Buffer.from('"\xff"', 'latin1')))).rejects.toMatchObject({ kind: 'broken' });
  });

  test('its caller can end a request', async () => {
    const ending = new AbortController();
    await using server = await listening(createServer(() => ending.abort()));
    await expect(replyOf(server.url, { signal: ending.signal })).rejects.toMatchObject({ kind: 'silent' });
  });

  test('the body of a refusal is not read on', async () => {
    const left = Promise.withResolvers<void>();
    const body = new ReadableStream({ cancel: () => left.resolve() });
    await expect(replyOf('', { fetch: async () => new Response(body, { status: 500 }) })).rejects.toMatchObject({
      kind: 'broken',
    });
    await left.promise;
  });
});

test.each([
  '0.10000000000000000001',
  '4.727521520000001',
  '2.2357688599999963',
  '10106.010',
  '1e5',
  '-0',
  '123456789012345678901234567890',
])('the number %s keeps every digit', (text) => {
  expect(parseExactJson(`[{"a": ${text}}, ${text}]`)).toEqual([{ a: text }, text]);
});

test('other JSON values are parsed as usual', () => {
  expect(parseExactJson('{"a":["1.50",null,true,{}],"b":""}')).toEqual({ a: ['1.50', null, true, {}], b: '' });
});

test.each(['', '[1', '{"a":1,}', '[01]', 'NaN', '<html>'])('%j is refused as invalid JSON', (text) => {
  expect(() => parseExactJson(text)).toThrow(SyntaxError);
});
