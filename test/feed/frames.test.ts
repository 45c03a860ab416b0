import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { PassThrough, type Duplex } from 'node:stream';

import { WebSocket, WebSocketServer } from 'ws';

import { frameHead, sharedTail, writeTextFrame } from '../../src/feed/frames.ts';
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
async function readBack(head: Buffer, tail: Buffer): Promise<string | undefined> {
  const before = read.items.length;
  writeTextFrame(stream, head, tail);
  return (await read.first(before + 1))[before];
}

test.each([2, 125, 126, 127, 2_200, 65_535, 65_536, 100_000])('a message of %d bytes is one frame', async (length) => {
  const head = Buffer.from('{');
  const tail = Buffer.from(`${'x'.repeat(length - 2)}}`);
  expect(await readBack(head, tail)).toBe(`${String(head)}${String(tail)}`);
});

test('the frame is the message of graphql-transport-ws for any id', async () => {
  const tail = sharedTail('{"data":{"name":"é€😀"}}');
  for (const id of ['a', 'é€😀', 'b "quoted" \\ \u0000']) {
    expect(JSON.parse((await readBack(frameHead(id), tail)) ?? '')).toEqual({
      id,
      type: 'next',
      payload: { data: { name: 'é€😀' } },
    });
  }
});

test('shared bytes are written without a copy', () => {
  const written: Buffer[] = [];
  const through = new PassThrough();
  through.on('data', (bytes: Buffer) => written.push(bytes));
  const tail = sharedTail('{}');
  writeTextFrame(through, frameHead('1'), tail);
  writeTextFrame(through, frameHead('2'), tail);
  expect(written.filter((bytes) => bytes === tail)).toHaveLength(2);
});
