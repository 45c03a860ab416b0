import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { describe, expect, test } from '@jest/globals';

import { countShares } from '../../src/feed/bounds.ts';
import { asksForWebSocket } from '../../src/feed/socket-server.ts';
import { listen, openServer } from '../../src/http/server.ts';
import { eventSource } from '../support/event-source.ts';
import { receive, socketClient } from '../support/socket-client.ts';
import { sharedService } from '../support/shared.ts';

const TIMEOUTS = { headersMs: 300, requestMs: 600, idleMs: 500, checkMs: 50 };

const service = sharedService(() => ({ timeouts: TIMEOUTS }));
async function connected(): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

/** All that comes until the service ends the connection. */
async function allOf(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

describe('slow clients', () => {
  test('a slow request head gets 408 and its connection is closed', async () => {
    const socket = await connected();
    socket.write('GET /api/health HTTP/1.1\r\nHost: x\r\n');
    const trickle = setInterval(() => socket.write('X-More: y\r\n'), 20);
    const answer = await allOf(socket);
    clearInterval(trickle);
    expect(answer).toMatch(
      /^HTTP\/1\.1 408 .*\{"error":"The request did not arrive in time\.","code":"request_timeout"\}$/s,
    );
  });

  test('a slow request body is cut off too', async () => {
    const socket = await connected();
    socket.on('error', () => {});
    socket.write(
      'POST /api/agents/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{',
    );
    const trickle = setInterval(() => socket.write(' '), 20);
    const answer = await allOf(socket);
    clearInterval(trickle);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  test('an idle connection is closed', async () => {
    const socket = await connected();
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await allOf(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

test('streams and WebSockets outlast all timeouts', async () => {
  using stream = eventSource(`${service.url}/api/events`);
  await using received = receive(socketClient(service.url), 'subscription { events { seq kind } }');
  await stream.first(1);
  // A slow request from its first to its last moment takes longer than any of the bounds.
  for (const _ of [1, 2]) {
    const socket = await connected();
    socket.write('GET /livez HTTP/1.1\r\n');
    await allOf(socket);
  }
  await service.nextHour();
  await stream.until((events) => events.some(({ kind }) => kind === 'ROUND_OPENED'));
  await received.until((results) => results.some(({ data }) => JSON.stringify(data).includes('ROUND_OPENED')));
});

test('the default timeouts are 10 s for the head, 30 s for a request, 65 s idle', () => {
  const server = openServer({
    listener: () => {},
    isProxy: () => false,
    connections: countShares(1),
    upgrades: asksForWebSocket,
    onUnreadable: () => {},
  });
  expect(server).toMatchObject({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    timeout: 0,
  });
});

test('a handler that throws closes its connection, and the next request is answered', async () => {
  const answers = [
    () => {
      throw new Error('broken');
    },
    () => null,
  ];
  const server = openServer({
    handler: () => answers.shift()?.() ?? null,
    listener: (_request, response) => void response.end('answered'),
    isProxy: () => true,
    connections: countShares(1),
    upgrades: asksForWebSocket,
    onUnreadable: () => {},
  });
  const url = await listen(server, { port: 0, host: '127.0.0.1' });
  // Without its end the request would wait for ever.
  await expect(fetch(url, { signal: AbortSignal.timeout(20_000) })).rejects.toThrow('fetch failed');
  expect(await (await fetch(url)).text()).toBe('answered');
  server.close().closeAllConnections();
});

test('unreadable requests are counted', async () => {
  const socket = await connected();
  socket.write(`GET /api/health HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(17_000)}\r\n\r\n`);
  expect(await allOf(socket)).toMatch(/^HTTP\/1\.1 431 /);
  const { body } = await service.request('GET', '/metrics');
  expect(body).toContain('hourcast_http_unreadable_total{status="431"} 1');
});

async function headersOf(path: string, headers: Record<string, string> = {}): Promise<Headers> {
  return (await service.request('GET', path, { headers })).headers;
}

describe('security headers', () => {
  test.each([
    '/api/health',
    '/api/nothing',
    '/graphql?query={health{status}}',
    '/metrics',
    '/livez',
    '/api/export/rounds.csv',
  ])('the answer of %s forbids loading, framing and type guessing', async (path) => {
    const headers = await headersOf(path, { 'apollo-require-preflight': 'yes' });
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    const isPublic = /^\/(api\/|graphql)/.test(path);
    expect(headers.get('cross-origin-resource-policy')).toBe(isPublic ? 'cross-origin' : 'same-origin');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(headers.get('x-powered-by')).toBeNull();
  });

  test('answers without a page have the seven security headers', async () => {
    const headers = Object.fromEntries(await headersOf('/livez'));
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  });

  test('a file of the IDE can be framed by this site', async () => {
    expect(Object.fromEntries(await headersOf('/graphql/ide/initial_options.js'))).toMatchObject({
      'content-security-policy': "default-src 'self';worker-src 'self' blob:;frame-ancestors 'self'",
      'cross-origin-resource-policy': 'cross-origin',
      'x-frame-options': 'SAMEORIGIN',
    });
  });

  test('the IDE and the page run scripts of the service only', async () => {
    expect((await headersOf('/graphql', { accept: 'text/html' })).get('content-security-policy')).toMatch(
      /script-src 'self'/,
    );
    const front = (await headersOf('/')).get('content-security-policy');
    expect(front).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
  });
});

test('the front page links existing endpoints', async () => {
  const { body } = await service.request('GET', '/');
  const links = [...String(body).matchAll(/href="([^"]+)"/g)].map(([, path]) => path ?? '');
  expect(links).toEqual(expect.arrayContaining(['/graphql', '/metrics', '/readyz', '/admin']));
  for (const path of links.filter((link) => !/^data:|admin|events/.test(link))) {
    const { status } = await service.request('HEAD', path, { headers: { accept: 'text/html' } });
    expect({ path, status }).toEqual({ path, status: 200 });
  }
});
