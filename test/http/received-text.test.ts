import { once } from 'node:events';
import { gzipSync } from 'node:zlib';

import { beforeAll, describe, expect, test } from '@jest/globals';

import { BODY_BYTES } from '../../src/limits.ts';
import { quoted } from '../../src/rules/errors.ts';
import { TOKEN } from '../operating/admin.ts';
import { type Player, register } from '../support/agents.ts';
import { rawSocket } from '../support/raw-socket.ts';
import { currentRound } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';

/* What a caller's bytes may be wherever they are taken: UTF-8, and as JSON no more than 64 deep. */

const service = sharedService(() => ({ adminToken: TOKEN }));
let player: Player;
let roundId: number;
beforeAll(async () => {
  player = await register(service, 'player');
  roundId = (await currentRound(service)).id;
});

const DEPTH = 64;

/** A list in a list, so many of them. */
function listsIn(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

const callOf = (given: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query","arguments":{"query":"{ health { status } }","variables":{"x":${given}}}}}`;

/** Where JSON is read: how deep the lists stand in the body, and the body with them. */
const READERS = [
  ['POST', '/api/agents/register', 0, (lists: string) => lists],
  ['POST', '/api/agents/register', 1, (lists: string) => `{"name":${lists}}`],
  ['POST', '/api/predictions', 1, (lists: string) => `{"round_id":1,"prediction":${lists},"confidence":50}`],
  [
    'PUT',
    '/api/me/standing',
    3,
    (lists: string) => `{"rows":[{"question_type":"podium","prediction":${lists},"confidence":40}]}`,
  ],
  [
    'POST',
    '/graphql',
    2,
    (lists: string) => `{"query":"query ($x: Int) { health { status } }","variables":{"x":${lists}}}`,
  ],
  ['POST', '/mcp', 4, callOf],
  ['POST', '/admin/agents/1/block', 1, (lists: string) => `{"reason":${lists}}`],
] as const;

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly key?: string;
}

async function send(method: string, path: string, body: string | Buffer, { headers = {}, key }: Sent = {}) {
  const answer = await fetch(service.url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${key ?? (path.startsWith('/admin') ? TOKEN : player.key)}`,
      ...headers,
    },
    body: new Uint8Array(Buffer.from(body)),
  });
  return { status: answer.status, text: await answer.text() };
}

const TOO_DEEP = `JSON must be nested at most ${DEPTH} deep`;

describe.each(READERS)('JSON of %s %s with lists %i deep', (method, path, depth, bodyOf) => {
  test.each([
    ['plain', (text: string) => text, {}],
    ['compressed', (text: string) => gzipSync(text), { 'content-encoding': 'gzip' }],
  ])('JSON deeper than 64 is refused at any depth: %s', async (_form, written, headers) => {
    for (const lists of [DEPTH - depth + 1, 7000]) {
      const { status, text } = await send(method, path, written(bodyOf(listsIn(lists))), { headers });
      expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining(TOO_DEEP) });
    }
    expect(service.reported).toEqual([]);
  });

  test('JSON 64 deep is read', async () => {
    const { text } = await send(method, path, bodyOf(listsIn(DEPTH - depth)));
    expect(text).not.toContain(TOO_DEEP);
  });
});

test.each(['variables', 'extensions'])('GraphQL over GET refuses %s that are deeper than 64', async (name) => {
  const query = `query=%7Bhealth%7Bstatus%7D%7D&${name}=${encodeURIComponent(`{"x":${listsIn(2000)}}`)}`;
  const answer = await fetch(`${service.url}/graphql?${query}`, { headers: { 'apollo-require-preflight': 'yes' } });
  expect({ status: answer.status, text: await answer.text() }).toEqual({
    status: 400,
    text: expect.stringContaining(TOO_DEEP),
  });
});

test('brackets within strings do not count', async () => {
  const rationale = String.raw`\\\"${'[{'.repeat(200)}`;
  const body = `{"round_id":${roundId},"prediction":"PERHAPS","confidence":50,"rationale":"${rationale}"}`;
  const { text } = await send('POST', '/api/predictions', body);
  expect(text).toMatch(/prediction must be one of/);
});

test('a WebSocket message deeper than 64 closes the connection with a reason', async () => {
  using socket = await rawSocket(service.url);
  socket.say(
    `{"id":"1","type":"subscribe","payload":{"query":"{ health { status } }","variables":{"x":${listsIn(62)}}}}`,
  );
  expect(await socket.end).toEqual({ code: 4400, reason: expect.stringContaining('at most 64 deep') });
});

test('a value of any depth can be quoted', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  expect([quoted(deep), quoted(circular), quoted(1n)]).toEqual(['a list', 'an object', '1']);
});

const NO_UTF8 = Buffer.from([0x63, 0x61, 0x66, 0xe9]);

/** The text with bytes that are no UTF-8 where it says `#`. */
function broken(text: string): Buffer {
  const [before = '', after = ''] = text.split('#');
  return Buffer.concat([Buffer.from(before), NO_UTF8, Buffer.from(after)]);
}

describe('invalid UTF-8', () => {
  test.each([
    ['POST', '/api/agents/register', () => '{"name":"somebody","mode":"#"}'],
    ['POST', '/api/predictions', () => `{"round_id":${roundId},"prediction":"YES","confidence":50,"rationale":"#"}`],
    ['PATCH', '/api/me', () => '{"about":"#"}'],
    ['POST', '/graphql', () => '{"query":"mutation { updateMe(about: \\"#\\") { about } }"}'],
    ['POST', '/mcp', () => callOf('"#"')],
    ['POST', '/admin/agents/1/block', () => '{"reason":"#"}'],
  ])('invalid UTF-8 in JSON of %s %s is refused, complete, compressed and in parts', async (method, path, textOf) => {
    const body = broken(textOf());
    for (const [bytes, headers] of [
      [body, {}],
      [gzipSync(body), { 'content-encoding': 'gzip' }],
      [body, { 'content-type': 'Application/JSON' }],
    ] as const) {
      const { status, text } = await send(method, path, bytes, { headers });
      expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining('must be UTF-8') });
    }
    const { body: me } = await service.request('GET', '/api/me', { key: player.key });
    expect(me.agent.about).toBeNull();
  });

  test.each(['utf-16', 'latin1', 'utf-8x'])('the character set %s is refused', async (charset) => {
    const headers = { 'content-type': `application/json; charset=${charset}` };
    const { status } = await send('POST', '/api/agents/register', '{"name":"other-set"}', { headers });
    expect(status).toBe(400);
  });

  test.each(['utf-8', 'UTF-8', 'utf8', '"utf-8"'])('the character set %s is accepted', async (charset) => {
    const headers = { 'content-type': `application/json;charset=${charset}` };
    const { status, text } = await send('POST', '/api/agents/register', '{"name":"x"}', { headers });
    expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining('name must') });
  });

  test.each([
    ['/api/agents/%66oo%ff', /cannot be read/],
    ['/api/agents?name=caf%e9', /must be UTF-8/],
    ['/api/export/predictions.csv?agent=caf%e9', /must be UTF-8/],
    ['/api/events?kinds=caf%e9', /must be UTF-8/],
    ['/admin/agents?search=caf%e9', /must be UTF-8/],
  ])('invalid UTF-8 in the address %s is refused', async (path, sentence) => {
    const answer = await fetch(service.url + path, {
      headers: { authorization: `Bearer ${path.startsWith('/admin') ? TOKEN : player.key}` },
    });
    expect({ status: answer.status, text: await answer.text() }).toEqual({
      status: 400,
      text: expect.stringMatching(sentence),
    });
  });

  test('invalid UTF-8 in an operators’ form is refused', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const body of [broken('token=#'), Buffer.from('token=caf%e9')]) {
      const { status, text } = await send('POST', '/admin/login', body, { headers });
      expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining('must be UTF-8') });
    }
  });

  test.each([true, false])('invalid UTF-8 on a WebSocket closes it (binary: %s)', async (binary) => {
    using socket = await rawSocket(service.url);
    const message = broken(
      '{"id":"1","type":"subscribe","payload":{"query":"mutation { updateMe(about: \\"#\\") { about } }"}}',
    );
    socket.socket.send(message, { binary });
    await once(socket.socket, 'close');
    expect([1007, 4400]).toContain((await socket.end).code);
    expect(socket.results('1')).toEqual([]);
  });
});

test('a body of the maximum size is read in parts as at once', async () => {
  const body = JSON.stringify({ name: 'x', padding: 'é'.repeat(4000) });
  expect(Buffer.byteLength(body)).toBeLessThan(BODY_BYTES);
  const pieces = new ReadableStream({
    async start(controller) {
      const bytes = Buffer.from(body);
      // One piece ends in the middle of a character.
      controller.enqueue(bytes.subarray(0, 1001));
      await new Promise(setImmediate);
      controller.enqueue(bytes.subarray(1001));
      controller.close();
    },
  });
  const answer = await fetch(`${service.url}/api/agents/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: pieces,
    duplex: 'half',
  } as RequestInit);
  expect({ status: answer.status, body: await answer.json() }).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching(/^name must/) },
  });
});
