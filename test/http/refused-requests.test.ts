import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { beforeAll, describe, expect, test } from '@jest/globals';

import { rawHttp } from '../feed/raw-http.ts';
import { TOKEN } from '../operating/admin.ts';
import { type Player, register } from '../support/agents.ts';
import { sharedService } from '../support/shared.ts';

const TIMEOUTS = { headersMs: 300, requestMs: 600, checkMs: 50 };
const GARBAGE = 'HELLO\r\n\r\n';

const service = sharedService(() => ({ timeouts: TIMEOUTS, adminToken: TOKEN }));
let player: Player;
beforeAll(async () => {
  player = await register(service, 'player');
});

/** The answers that come back before the service ends the connection, each by status and body. */
async function answersTo(bytes: string) {
  const { text } = await rawHttp(service.url, bytes);
  return text.split(/(?=HTTP\/1\.1 \d\d\d )/).map((answer) => {
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    return { status: Number(head.split(' ')[1]), body, head };
  });
}

const get = (path: string, ...headers: readonly string[]) =>
  `GET ${path} HTTP/1.1\r\n${['Host: x', ...headers].join('\r\n')}\r\n\r\n`;

const post = (body: string, length = body.length) =>
  `POST /api/agents/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;

describe('one answer per request', () => {
  test('an event stream ends without a second answer when garbage follows its request', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const text = collected(socket);
    socket.write(get('/api/events'));
    await once(socket, 'data');
    socket.write(GARBAGE);
    await once(socket, 'close');
    expect(text()).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(text().match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  test('a registration followed by garbage gets its key', async () => {
    const answers = await answersTo(post('{"name":"before-garbage"}') + GARBAGE);
    expect(answers).toMatchObject([{ status: 201, body: expect.stringContaining('"api_key":"pk_live_') }]);
  });

  test('a request refused before its body gets no second answer for a late body', async () => {
    const head = `POST /api/predictions HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 9000\r\n\r\n{`;
    expect(await answersTo(head)).toMatchObject([{ status: 401 }]);
  });

  test('a request with a broken or late body gets one error', async () => {
    const chunked =
      'POST /api/agents/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(await answersTo(`${chunked}zz\r\n`)).toMatchObject([{ status: 400 }]);
    expect(await answersTo(post('{', 9000))).toMatchObject([{ status: 408 }]);
  });

  test('a broken request after an unfinished answer gets none', async () => {
    const [first, ...more] = await answersTo(get('/api/events') + post('{', 9000));
    expect({ first: first?.status, more }).toEqual({ first: 200, more: [] });
  });

  test('garbage after a complete answer gets its own error', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const text = collected(socket);
    socket.write(get('/api/health'));
    await once(socket, 'data');
    socket.write(GARBAGE);
    await once(socket, 'end');
    expect([...text().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '400']);
    socket.destroy();
  });
});

function collected(socket: Socket): () => string {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}

const CLOSE = 'Connection: close';

describe('HTTP requests', () => {
  test.each([
    ['without Host', 'GET /api/health HTTP/1.1\r\n\r\n', 400, 'must have the header Host'],
    [
      'with an unknown expectation',
      get('/api/health', 'Expect: 200-ok'),
      417,
      'must be 100-continue (got \\"200-ok\\")',
    ],
    [
      'with two keys',
      get('/api/me', 'Authorization: Bearer one', 'authorization: Bearer two'),
      400,
      'Authorization must be sent once',
    ],
    [
      'with two keys for a socket',
      get('/graphql', 'Authorization: a', 'Authorization: b', 'Upgrade: websocket', 'Connection: upgrade'),
      400,
      'Authorization must be sent once',
    ],
  ])('a request %s is refused with a message', async (_what, bytes, status, sentence) => {
    const [answer, ...more] = await answersTo(bytes);
    expect({ ...answer, more }).toMatchObject({ status, body: expect.stringContaining(sentence), more: [] });
    expect(JSON.parse(answer?.body ?? '')).toEqual({ error: expect.any(String), code: 'unreadable_request' });
    expect(answer?.head).toContain('Content-Type: application/json; charset=utf-8');
  });

  test('an HTTP/1.0 request needs no Host', async () => {
    expect(await answersTo('GET /api/health HTTP/1.0\r\n\r\n')).toMatchObject([{ status: 200 }]);
  });

  test('a request with the same key twice belongs to its agent', async () => {
    const key = `Authorization: Bearer ${player.key}`;
    const [answer] = await answersTo(get('/api/me', key, key, CLOSE));
    expect(JSON.parse(answer?.body ?? '').agent.id).toBe(player.id);
  });

  test('a request with Expect: 100-continue gets its 100 before the body', async () => {
    const body = '{"name":"expects"}';
    const head = `POST /api/agents/register HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n${CLOSE}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    expect(await answersTo(head + body)).toMatchObject([{ status: 100 }, { status: 201 }]);
  });
});

describe('encoded paths', () => {
  test.each([
    ['/api/agents/%70layer', '/api/agents/player'],
    ['/api/%72ounds/current', '/api/rounds/current'],
    ['/%61pi/rounds/%31', '/api/rounds/1'],
    ['/api/%72ounds/current?x=%72', '/api/rounds/current?x=%72'],
    ['/%67raphql?query=%7Bhealth%7Bstatus%7D%7D', '/graphql?query=%7Bhealth%7Bstatus%7D%7D'],
    ['/%6dcp', '/mcp'],
    ['/docs/agents%2Emd', '/docs/agents.md'],
    ['/api/export/%72ounds.csv', '/api/export/rounds.csv'],
  ])('%s is the same path as %s', async (encoded, path) => {
    const one = await answersTo(get(encoded, CLOSE));
    const other = await answersTo(get(path, CLOSE));
    expect(one.map(({ status, body }) => ({ status, body }))).toEqual(
      other.map(({ status, body }) => ({ status, body })),
    );
    expect(one).not.toMatchObject([{ status: 404 }]);
  });

  test.each(['/api%2fstats', '/api/%2e%2e%2fstats', '/%6detrics', '/%61dmin/rounds', '/%6civez'])(
    '%s is no path of the service',
    async (path) => {
      expect(await answersTo(get(path, CLOSE, `Authorization: Bearer ${TOKEN}`))).toMatchObject([{ status: 404 }]);
    },
  );
});
