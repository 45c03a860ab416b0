import { gzipSync } from 'node:zlib';

import { beforeAll, describe, expect, test } from '@jest/globals';

import { rawHttp } from '../feed/raw-http.ts';
import type { Answer } from '../support/service.ts';
import { type Player, register } from '../support/agents.ts';
import { expectRefusal } from '../support/refusals.ts';
import { sharedService } from '../support/shared.ts';

const LARGEST = 16 * 1024;

const service = sharedService();
let player: Player;

beforeAll(async () => {
  player = await register(service, 'player');
});

/** A registration body of exactly `bytes`. */
function bodyOf(name: string, bytes: number): string {
  const empty = JSON.stringify({ name, padding: '' });
  return JSON.stringify({ name, padding: 'x'.repeat(bytes - empty.length) });
}

async function sendCompressed(text: string): Promise<Answer> {
  const response = await fetch(`${service.url}/api/agents/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: gzipSync(text),
  });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

describe.each(['/api/agents/register', '/api/predictions'])('POST %s', (path) => {
  const post = (body: string | undefined, headers: Readonly<Record<string, string>> = {}) =>
    service.request('POST', path, { key: player.key, body, headers });

  test.each([
    '',
    '{',
    '{"name": "abc"',
    "{'name': 'abc'}",
    '{"name": undefined}',
    'name=abc',
    '{"name":"a\u0000c"}',
    '\ufeff',
  ])('the body %j is refused as invalid JSON', async (body) => {
    expectRefusal(await post(body), 400);
  });

  test.each(['null', 'true', '1', '"text"', '[]', '[{"name":"abc"}]'])(
    'the JSON body %s is refused because it is no object',
    async (body) => {
      expectRefusal(await post(body), 400, /object/);
    },
  );

  test('a body over 16 KiB gets 413, also a compressed one', async () => {
    expectRefusal(await post(bodyOf('too-large', LARGEST + 1)), 413, /16 KiB/);
    expectRefusal(await post(bodyOf('too-large', 1_000_000)), 413, /16 KiB/);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'json',
  ])('the content type %s is refused', async (type) => {
    expectRefusal(await post('{"name":"typed"}', { 'content-type': type }), 400, /application\/json/);
  });

  test('a request without a body is refused', async () => {
    expectRefusal(await post(undefined), 400);
  });

  test.each([
    ['content-encoding', 'br-unknown'],
    ['content-encoding', 'gzip'],
    ['content-type', 'application/json; charset=latin1'],
  ])('a body that cannot be decoded is refused: %s %s', async (name, value) => {
    expectRefusal(await post('{"name":"encoded"}', { [name]: value }), 400);
  });

  test('deeply nested lists in fields for text or numbers are refused', async () => {
    const deep = `${'['.repeat(8000)}${']'.repeat(8000)}`;
    for (const field of ['name', 'mode', 'wallet_address', 'round_id', 'prediction', 'confidence'])
      expectRefusal(await post(`{"${field}":${deep}}`), 400);
  });
});

test.each(['application/json', 'application/json\r\nContent-Length: 0', 'Application/JSON ;charset=UTF-8'])(
  'a JSON body that is missing has no fields: %j',
  async (type) => {
    const head = `POST /api/agents/register HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nConnection: close\r\n\r\n`;
    expect((await rawHttp(service.url, head)).text).toContain('"name is required.');
  },
);

test('a body of exactly 16 KiB is read', async () => {
  const body = bodyOf('largest', LARGEST);
  expect((await service.request('POST', '/api/agents/register', { body })).status).toBe(201);
});

test('a charset after the content type is accepted', async () => {
  const headers = { 'content-type': 'Application/JSON; charset=UTF-8' };
  const { status } = await service.request('POST', '/api/agents/register', { body: { name: 'charset' }, headers });
  expect(status).toBe(201);
});

test('a compressed body counts with its uncompressed size', async () => {
  expect((await sendCompressed('{"name":"compressed"}')).status).toBe(201);
  expectRefusal(await sendCompressed(bodyOf('bomb', 10_000_000)), 413, /16 KiB/);
});

test('names of prototype properties are unknown fields like others', async () => {
  const body = '{"__proto__":{"name":"polluted"},"constructor":{"prototype":{"name":"polluted"}},"toString":1}';
  expectRefusal(
    await service.request('POST', '/api/agents/register', { body }),
    400,
    /^name is required\. Text of 3-50 characters/,
  );
  expect('name' in Object.prototype).toBe(false);
});
