import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';

import { countShares } from '../../src/feed/bounds.ts';
import { asksForWebSocket } from '../../src/feed/socket-server.ts';
import { type Handler, openRespond } from '../../src/http/exchange.ts';
import { requestLog, type RequestLog } from '../../src/http/request-log.ts';
import { openServer } from '../../src/http/server.ts';
import { makeLogger } from '../../src/logger.ts';
import { until } from '../support/poll.ts';
import { urlOf } from '../support/service.ts';

/** More than the system takes for a connection that nobody reads. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x');
const ANSWER_MS = 400;

const HERE: RequestListener = (_request, response) => void response.end('here');

let opened: AsyncDisposableStack | undefined;
beforeEach(() => {
  opened = new AsyncDisposableStack();
});
afterEach(async () => {
  await opened?.disposeAsync();
});

interface Settings {
  readonly handler?: Handler;
  readonly listener?: RequestListener;
  readonly isProxy?: boolean;
  readonly connectionsPerAddress?: number;
  readonly answerMs?: number;
}

async function serve({
  handler,
  listener = HERE,
  isProxy = false,
  connectionsPerAddress = 1000,
  answerMs = ANSWER_MS,
}: Settings): Promise<Server> {
  const server = openServer({
    handler,
    listener,
    isProxy: () => isProxy,
    connections: countShares(connectionsPerAddress),
    upgrades: asksForWebSocket,
    timeouts: { answerMs, checkMs: 50 },
    onUnreadable: () => {},
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened?.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

/** A client that has sent a request, or several, and reads nothing. */
async function silentReader(server: Server, requests = 1): Promise<Socket> {
  const { hostname, port } = new URL(urlOf(server));
  const socket = connect(Number(port), hostname);
  opened?.defer(() => void socket.destroy());
  socket.on('error', () => {}).pause();
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(requests));
  return socket;
}

/** Resolves when the server has no connection left. */
async function noneLeft(server: Server): Promise<void> {
  const [response]: ServerResponse[] = await once(server, 'request').then(([, answer]) => [answer]);
  if (response !== undefined && !response.closed) await once(response, 'close');
}

async function countOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  );
}

describe('unread answer', () => {
  test.each([
    ['given whole', (response: ServerResponse) => response.end(LARGE)],
    ['given bit by bit', writeOnAndOn],
  ])('an unread answer, %s, ends its connection', async (_how, answer) => {
    const server = await serve({ listener: (_request, response) => answer(response) });
    const ended = noneLeft(server);
    await silentReader(server);
    await ended;
    expect(await countOf(server)).toBe(0);
  });

  test('an unread answer ends its connection although the client sends more requests', async () => {
    const server = await serve({ listener: (_request, response) => void response.end(LARGE) });
    const ended = noneLeft(server);
    const socket = await silentReader(server, 5);
    const asking = setInterval(() => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'), 50);
    await ended;
    clearInterval(asking);
    expect(await countOf(server)).toBe(0);
  });

  test('an unread answer ends its connection although the client reads a little', async () => {
    const server = await serve({ listener: (_request, response) => void response.end(LARGE) });
    const ended = noneLeft(server);
    const socket = await silentReader(server);
    const reading = setInterval(() => void socket.read(1024), 50);
    await ended;
    clearInterval(reading);
    expect(await countOf(server)).toBe(0);
  });
});

describe('several unread answers', () => {
  test.each([
    [3, 'given whole', (response: ServerResponse) => response.end(FILE)],
    [3, 'given bit by bit', sendFile],
    [6, 'given bit by bit', sendFile],
  ])('unread answers of one connection share a deadline: %i, %s', async (requests, _how, answer) => {
    const listener: RequestListener = (_request, response) => {
      answer(response);
    };
    const server = await serve({ listener, answerMs: 1000 });
    // Less than two deadlines of the other.
    const patient = await serve({ listener: (_request, response) => void response.end(LARGE), answerMs: 1700 });
    const connected = once(server, 'connection');
    await silentReader(server, requests);
    const [held]: Socket[] = await connected;
    if (held === undefined) throw new Error('Nobody is connected');
    await until('a piece that the system does not take', async () => held.writableLength > 0);
    const ended = noneLeft(patient);
    await silentReader(patient);
    const first = await Promise.race([
      once(held, 'close').then(() => 'several'),
      ended.then(() => 'one, of a later deadline'),
    ]);
    expect(first).toBe('several');
  });
});

/** Some of it is more than the system takes for a connection, once or twice it is not. */
const FILE = LARGE.subarray(0, 3_100_000);

function sendFile(response: ServerResponse): void {
  const piece = 64 * 1024;
  const pieces = Array.from({ length: Math.ceil(FILE.length / piece) }, (_, at) =>
    FILE.subarray(at * piece, (at + 1) * piece),
  );
  Readable.from(pieces).pipe(response);
}

/** As a file is sent: the next piece when the one before was taken. */
function writeOnAndOn(response: ServerResponse): void {
  Readable.from(Array.from({ length: 1000 }, () => LARGE.subarray(0, 64 * 1024))).pipe(response);
}

const OK = { status: 200, headers: {} } as const;

const respondWith = (requests: Pick<RequestLog, 'idOf' | 'noteWritten'>) =>
  openRespond({ requests, headers: { full: [], unchanged: [] }, etagOf: () => '"tag"' });

test('a request whose client leaves before its answer is counted with status 499', async () => {
  const registry = new Registry();
  const respond = respondWith(requestLog({ randomBytes, registry, log: makeLogger('silent') }));
  const server = await serve({
    handler: (exchange) =>
      respond(exchange, '/', () => once(exchange.response, 'close').then(() => ({ ...OK, body: 'late' }))),
  });
  const requested = once(server, 'request');
  const socket = await silentReader(server);
  await requested;
  socket.destroy();
  const counted = 'hourcast_http_requests_total{route="/",method="GET",status="499"} 1';
  await until('a request with status 499', async () => (await registry.metrics()).includes(counted));
});

describe('well-behaved clients', () => {
  test.each([
    ['a text', LARGE.toString('latin1')],
    ['bytes', LARGE],
  ])('a large answer, %s, that is read slowly and steadily is sent completely', async (_of, body) => {
    const respond = respondWith({ idOf: () => 'id', noteWritten() {} });
    const server = await serve({ handler: (exchange) => respond(exchange, '/', () => ({ ...OK, body })) });
    const [response]: IncomingMessage[] = await once(get(urlOf(server)), 'response');
    let read = 0;
    for await (const piece of response ?? []) {
      read += Buffer.byteLength(piece);
      await wait(3);
    }
    expect(read).toBe(LARGE.length);
  });

  test('an answer that takes long to compute is sent', async () => {
    const server = await serve({
      listener: (_request, response) => {
        // Two silences, each longer than the bound on answers that are not read.
        setTimeout(() => response.write('a'), 2 * ANSWER_MS);
        setTimeout(() => response.end('b'), 4 * ANSWER_MS);
      },
    });
    expect(await (await fetch(urlOf(server))).text()).toBe('ab');
  });

  test('a long answer that is read steadily is sent completely', async () => {
    const pieces = 12;
    const server = await serve({
      listener: async (_request, response) => {
        for (let piece = 0; piece < pieces; piece += 1) {
          await wait(ANSWER_MS / 4);
          response.write('x'.repeat(1000));
        }
        response.end();
      },
    });
    expect(await (await fetch(urlOf(server))).text()).toHaveLength(1000 * pieces);
  });

  test('a client reuses its connection', async () => {
    const server = await serve({ listener: HERE });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const _ of [1, 2, 3]) {
      const [response]: IncomingMessage[] = await once(get(urlOf(server), { agent }), 'response');
      expect(response && (await text(response))).toBe('here');
    }
    expect(await countOf(server)).toBe(1);
    agent.destroy();
  });
});

describe('connections of one address', () => {
  test('an address has a maximum of open connections, and a closed one frees its slot', async () => {
    const server = await serve({ listener: HERE, connectionsPerAddress: 3 });
    const sockets = [await silentReader(server), await silentReader(server), await silentReader(server)];
    await expect(fetch(urlOf(server))).rejects.toThrow('fetch failed');
    for (const socket of sockets) socket.destroy();
    while ((await countOf(server)) > 0) await new Promise(setImmediate);
    expect((await fetch(urlOf(server))).status).toBe(200);
  });

  test('a proxy’s connections are not limited', async () => {
    const server = await serve({ listener: HERE, isProxy: true, connectionsPerAddress: 1 });
    await silentReader(server);
    await silentReader(server);
    expect((await fetch(urlOf(server))).status).toBe(200);
  });
});
