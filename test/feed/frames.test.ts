import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type Duplex, PassThrough, Writable } from 'node:stream';

import { WebSocket, WebSocketServer } from 'ws';

import { frameHead, SharedPayload } from '../../src/feed/frames.ts';
import { type Collector, collector } from '../support/collector.ts';

/** The server's end of a connection, and what the client at its other end has read. */
let stream: Duplex;
let read: Collector<string>;
let server: WebSocketServer;
beforeAll(async () => {
  server = new WebSocketServer({ port: 0, perMessageDeflate: false });
  const { port }: { port: number } = Object(server.address());
  const client = new WebSocket(`ws://127.0.0.1:${port}`);
  read = collector();
  client.on('message', (data: Buffer, isBinary) => read.add(isBinary ? 'binary' : data.toString()));
  const [, request]: [WebSocket, { socket: Duplex }] = Object(await once(server, 'connection'));
  stream = request.socket;
});
afterAll(() => {
  for (const socket of server.clients) socket.terminate();
  server.close();
});

/** The text that a client reads of what is written. */
async function readBack(head: Buffer, payload: SharedPayload): Promise<string | undefined> {
  const before = read.items.length;
  payload.writeTo(stream, head);
  return (await read.first(before + 1))[before];
}

test.each([2, 125, 126, 127, 2_200, 8_193, 8_194, 65_535, 65_536, 100_000])(
  'a message of %d bytes is one frame',
  async (length) => {
    const payload = new SharedPayload('x'.repeat(length - 2));
    for (const head of ['{', '['])
      expect(await readBack(Buffer.from(head), payload)).toBe(`${head}${String(payload.tail)}`);
  },
);

test('the frame is the message of graphql-transport-ws for any id', async () => {
  const payload = new SharedPayload('{"data":{"name":"é€😀"}}');
  for (const id of ['a', 'b', 'é€😀', 'b "quoted" \\ \u0000', 'c']) {
    expect(JSON.parse((await readBack(frameHead(id), payload)) ?? '')).toEqual({
      id,
      type: 'next',
      payload: { data: { name: 'é€😀' } },
    });
  }
});

const [ONE, OTHER] = [frameHead('1'), frameHead('2')];

test('a small frame is one buffer, which the next subscriber gets with its own id', () => {
  const written: Buffer[] = [];
  const through = new PassThrough();
  through.on('data', (bytes: Buffer) => written.push(bytes));
  const payload = new SharedPayload('{}');
  payload.writeTo(through, ONE);
  payload.writeTo(through, OTHER);
  expect(written).toHaveLength(2);
  expect(written[0]).toBe(written[1]);
});

test('the end of a large frame is written without a copy', () => {
  const written: Buffer[] = [];
  const through = new PassThrough();
  through.on('data', (bytes: Buffer) => written.push(bytes));
  const payload = new SharedPayload('x'.repeat(8_192));
  payload.writeTo(through, ONE);
  payload.writeTo(through, OTHER);
  expect(written.filter((bytes) => bytes === payload.tail)).toHaveLength(2);
});

test('a slow reader keeps one small frame of its own, with its own id, and shares the ends of later ones', () => {
  const taken: Buffer[] = [];
  const waiting: (() => void)[] = [];
  const slow = new Writable({
    write(bytes: Buffer, _encoding, done) {
      taken.push(bytes);
      waiting.push(done);
    },
  });
  const [first, second] = [new SharedPayload('{}'), new SharedPayload('[]')];
  first.writeTo(slow, ONE);
  first.writeTo(new PassThrough(), OTHER);
  second.writeTo(slow, ONE);
  second.writeTo(new PassThrough(), OTHER);
  for (let writes = 2; writes > 0; writes -= 1) waiting.shift()?.();
  expect(String(taken[0])).toContain(String(ONE));
  expect(String(taken[1])).toContain(String(ONE));
  expect(taken[2]).toBe(second.tail);
});
