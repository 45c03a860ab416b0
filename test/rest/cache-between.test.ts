import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { type Player, predict, register } from '../support/agents.ts';
import { startService, type TestService, urlOf } from '../support/service.ts';

/*
 * A proxy with a cache between the service and its callers. Like nginx it does not look at `Authorization`: what it has kept
 * of an address it hands to everybody, as far as `Cache-Control` and `Vary` let it.
 */

interface Kept {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

interface CacheRules {
  /** Whether answers that say nothing, or forbid it, are kept all the same: nginx's `proxy_ignore_headers Cache-Control`. */
  readonly keepsAll: boolean;
}

/** Answers say in `x-cache` whether they were kept before. */
async function cachingProxy(target: string, { keepsAll }: CacheRules): Promise<Server> {
  const kept = new Map<string, Kept>();
  const varies = new Map<string, string>();
  const keyOf = ({ url = '', headers }: IncomingMessage): string => {
    const named = (varies.get(url) ?? '').toLowerCase().split(/, */);
    return JSON.stringify([url, ...named.map((name) => headers[name])]);
  };
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const found = incoming.method === 'GET' ? kept.get(keyOf(incoming)) : undefined;
    const fresh = found ?? (await fetched(target, incoming));
    const { url = '' } = incoming;
    if (found === undefined && fresh.status === 200 && (keepsAll || mayKeep(fresh))) {
      varies.set(url, fresh.headers.vary ?? '');
      kept.set(keyOf(incoming), fresh);
    }
    response.writeHead(fresh.status, { ...fresh.headers, 'x-cache': found === undefined ? 'MISS' : 'HIT' });
    response.end(fresh.body);
  };
  const server = createServer((incoming, response) => void answer(incoming, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

/** What says nothing is kept for a moment, as by `proxy_cache_valid`. */
function mayKeep({ headers }: Kept): boolean {
  return !/private|no-store|no-cache/.test(headers['cache-control'] ?? '');
}

async function fetched(target: string, { url = '', method, headers }: IncomingMessage): Promise<Kept> {
  const outgoing = request(target + url, { method: method ?? 'GET', headers, agent: false }).end();
  const [response]: IncomingMessage[] = await once(outgoing, 'response');
  if (response === undefined) throw new Error('No answer came');
  return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) };
}

let service: TestService;
let alice: Player;
let mallory: Player;
beforeAll(async () => {
  service = await startService({ picks: 'sealed' });
  [alice, mallory] = [await register(service, 'alice'), await register(service, 'mallory')];
  await predict(service, alice);
  await service.nextHour();
  await predict(service, alice, { confidence: 87 });
});
afterAll(() => service.stop());

describe.each([
  ['that obeys', { keepsAll: false }],
  ['that keeps whatever it gets', { keepsAll: true }],
])('a cache %s', (_, rules) => {
  let proxy: Server;
  beforeAll(async () => {
    proxy = await cachingProxy(service.url, rules);
  });
  afterAll(() => {
    proxy.closeAllConnections();
    proxy.close();
  });

  const ask = async (path: string, key?: string) => {
    const headers = { connection: 'close', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) };
    const response = await fetch(urlOf(proxy) + path, { headers });
    return { status: response.status, cache: response.headers.get('x-cache'), text: await response.text() };
  };

  test.each(['/api/me', '/api/me/predictions'])('a shared cache returns an agent’s %s to nobody else', async (path) => {
    const own = await ask(path, alice.key);
    expect(own).toMatchObject({ status: 200, cache: 'MISS' });
    expect(own.text).toContain('"confidence":87');
    const others = await ask(path, mallory.key);
    expect(others).toMatchObject({ status: 200, cache: 'MISS' });
    expect(others.text).not.toContain('"confidence":87');
    expect((await ask(path)).status).toBe(401);
  });

  test.each([
    ['the page of a round', () => '/rounds/2'],
    ['the page of an agent', () => `/agents/${alice.id}`],
  ])('%s has no own answer that a shared cache could return to others', async (_page, path) => {
    const own = await ask(path(), alice.key);
    expect(own.status).toBe(200);
    expect(own.text).toContain('alice');
    expect(own.text).not.toMatch(/"confidence":87|87 %/);
  });

  test('a shared cache returns the mistakes in a briefing to nobody else', async () => {
    for (const key of [alice.key, mallory.key, undefined]) {
      const { status, cache, text } = await ask('/api/briefing', key);
      const { mistakes } = JSON.parse(text);
      expect({ status, cache, isOwn: mistakes !== null }).toEqual({
        status: 200,
        cache: 'MISS',
        isOwn: key !== undefined,
      });
    }
  });

  test('a shared cache returns decided rounds to everybody', async () => {
    const seen = [];
    for (const key of [alice.key, mallory.key, undefined]) seen.push(await ask('/api/rounds/1/results', key));
    expect(seen.map(({ status, cache }) => [status, cache])).toEqual([
      [200, 'MISS'],
      [200, 'HIT'],
      [200, 'HIT'],
    ]);
    expect(new Set(seen.map(({ text }) => text)).size).toBe(1);
  });
});

test('a compliant cache stores nothing that may change', async () => {
  await using closing = new AsyncDisposableStack();
  const proxy = await cachingProxy(service.url, { keepsAll: false });
  closing.defer(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  for (const _ of [1, 2]) {
    const { headers } = await fetch(`${urlOf(proxy)}/api/stats`, { headers: { connection: 'close' } });
    expect(headers.get('x-cache')).toBe('MISS');
  }
});
