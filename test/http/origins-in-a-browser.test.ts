import { createServer } from 'node:http';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { hasBrowser, openBrowser } from '../support/browser.ts';
import { startService, type TestService, urlOf } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

(hasBrowser() ? describe : describe.skip)('page of another origin in a browser', () => {
  test('a foreign page reads over all transports, and cannot register', async () => {
    const pages = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end('<p>page'));
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(urlOf(pages));
      const seen = await page.evaluate(`(async () => {
        const at = ${JSON.stringify(service.url)};
        const post = { method: 'POST', headers: { 'content-type': 'application/json' } };
        const current = await fetch(at + '/api/rounds/current');
        const graph = await fetch(at + '/graphql', { ...post, body: '{"query":"{ health { status } }"}' });
        const refused = await fetch(at + '/api/agents/register', { ...post, body: '{"name":"from-a-page"}' });
        const events = new EventSource(at + '/api/events');
        const kind = await new Promise((resolve) => events.addEventListener('HEARTBEAT', ({ type }) => resolve(type)));
        events.close();
        const socket = new WebSocket(at.replace('http', 'ws') + '/graphql', 'graphql-transport-ws');
        socket.onopen = () => socket.send('{"type":"connection_init"}');
        const ack = await new Promise((resolve) => { socket.onmessage = ({ data }) => resolve(data); });
        socket.close();
        return {
          current: current.status, id: current.headers.get('x-request-id') !== null, graph: (await graph.json()).data,
          refused: [refused.status, (await refused.json()).error], kind, ack,
        };
      })()`);
      expect(seen).toEqual({
        current: 200,
        id: true,
        graph: { health: { status: 'ok' } },
        refused: [
          403,
          `Pages of the origin "${urlOf(pages)}" may only read and predict here; the operator of this service can add the origin to CORS_ORIGINS.`,
        ],
        kind: 'HEARTBEAT',
        ack: '{"type":"connection_ack"}',
      });
    } finally {
      await browser.close();
      pages.closeAllConnections();
      pages.close();
    }
  });
});
