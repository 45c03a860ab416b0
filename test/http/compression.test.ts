import { once } from 'node:events';
import { get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { beforeAll, expect, test } from '@jest/globals';

import { compressedOnce, encodingFor, LEAST_COMPRESSED } from '../../src/http/compression.ts';
import { register } from '../support/agents.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService();

let authorization: string;
beforeAll(async () => {
  for (let n = 0; n < 20; n += 1) authorization = `Bearer ${(await register(service, `listed-${n}`)).key}`;
});

interface Sent {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

async function read(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Sent> {
  const [response] = await once(get(service.url + path, { headers }), 'response');
  return { headers: response.headers, bytes: await buffer(response) };
}

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync } as const;
const LIST = `/graphql?query=${encodeURIComponent('{ agents(first: 20) { nodes { id name mode registeredAt credentialTier } } }')}`;

test.each([
  ['br', '/api/schedule'],
  ['gzip', '/api/schedule'],
  // With a key GraphQL is not cached.
  ['br', LIST],
  ['gzip', LIST],
  ['gzip', '/openapi.json'],
] as const)('an answer in %s of %s has the bytes of the plain one', async (encoding, path) => {
  const accepting = { authorization, 'accept-encoding': `deflate, ${encoding}` };
  const plain = await read(path, { authorization });
  const first = await read(path, accepting);
  const again = await read(path, accepting);
  expect(plain.bytes.length).toBeGreaterThan(LEAST_COMPRESSED);
  for (const { headers, bytes } of [first, again]) {
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'content-length': `${bytes.length}`,
      'content-type': plain.headers['content-type'],
      vary: expect.stringMatching(/\bAccept-Encoding\b/),
    });
    expect(String(DECODE[encoding](bytes))).toBe(String(plain.bytes));
    expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
  }
});

test('a request without Accept-Encoding, or for a small answer, is answered as ever', async () => {
  const { headers } = await read('/api/schedule');
  expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined]);
  const small = await read('/api/agents/1/no-such-path', { 'accept-encoding': 'br' });
  expect([small.headers['content-encoding'], small.headers.vary]).toEqual([undefined, 'Authorization']);
});

test('an ETag is that of the plain answer, and revalidates either', async () => {
  const { etag } = (await read('/api/schedule')).headers;
  const shared = await read('/api/schedule', { 'accept-encoding': 'br' });
  expect(shared.headers.etag).toBe(etag);
  const { headers, bytes } = await read('/api/schedule', { 'accept-encoding': 'br', 'if-none-match': etag ?? '' });
  expect([headers.vary, headers['content-encoding'], bytes.length]).toEqual(['Accept-Encoding', undefined, 0]);
});

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0', 'gzip'],
  ['br;q=0.0, gzip; q=0', 'identity'],
  ['br;q=0.5', 'br'],
  ['deflate', 'identity'],
  ['broken, xgzip', 'identity'],
])('Accept-Encoding %p selects %s', (accepted, encoding) => {
  expect(encodingFor({ headers: accepted === undefined ? {} : { 'accept-encoding': accepted } })).toBe(encoding);
});

test('a body is compressed once for each encoding', async () => {
  const made: number[] = [];
  const bodyIn = compressedOnce(
    () => Buffer.alloc(5_000, 'a'),
    (bytes) => made.push(bytes),
  );
  const [first, second] = await Promise.all([bodyIn('br'), bodyIn('br')]);
  expect(first).toBe(second);
  expect(await bodyIn('gzip')).toBe(await bodyIn('gzip'));
  expect(made).toEqual([first.length, (await bodyIn('gzip')).length]);
});
