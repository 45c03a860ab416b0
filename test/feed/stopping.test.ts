import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { startService, type TestService } from '../support/service.ts';
import { eventSource } from '../support/event-source.ts';
import { rawSocket } from '../support/raw-socket.ts';
import { receive, socketClient } from '../support/socket-client.ts';
import { EVENTS } from '../support/written-events.ts';

/** Opens a connection, says `bytes`, hears the first answer and from then on neither reads nor answers anything. */
async function deafClient({ url }: TestService, bytes: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on('error', () => {});
  socket.write(bytes);
  await once(socket, 'readable');
  return socket;
}

function upgradeOn(path: string): string {
  const key = Buffer.alloc(16).toString('base64');
  return [
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket`,
    `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}`,
    'Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
  ].join('\r\n');
}

test('a stop closes every connection so that clients reconnect', async () => {
  const service = await startService();
  using socket = await rawSocket(service.url);
  socket.subscribe('1', EVENTS);
  await socket.first(2);
  using source = eventSource(`${service.url}/api/events`);
  await source.first(1);
  const streamEnds = new Promise((resolve) => source.source.addEventListener('error', resolve));
  await service.stop();
  expect(await socket.end).toEqual({ code: 1012, reason: 'The service is restarting; resume from the last seq' });
  await streamEnds;
  // It would not connect again after a refusal.
  expect(source.source.readyState).toBe(source.source.CONNECTING);
  expect(service.reported).toEqual([]);
});

test('a stop takes less than 10 seconds with unresponsive clients', async () => {
  const service = await startService();
  const clients = await Promise.all([
    deafClient(service, upgradeOn('/graphql')),
    deafClient(service, upgradeOn('/elsewhere')),
    deafClient(service, 'GET /api/events HTTP/1.1\r\nHost: x\r\n\r\n'),
    deafClient(service, 'GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
  ]);
  const began = performance.now();
  await service.stop();
  expect(performance.now() - began).toBeLessThan(10_000);
  for (const client of clients) client.destroy();
  expect(service.reported).toEqual([]);
});

test('a stop during new connections and events ends without a fault', async () => {
  // Often enough to be under way at the stop, and not so often that a busy machine does nothing else.
  const service = await startService({ intervals: { heartbeatMs: 20, marketMs: 20, entriesMs: 20 } });
  const clients = Array.from({ length: 20 }, (_, place) => {
    const client = socketClient(service.url);
    const one = receive(client, place % 2 === 0 ? EVENTS : 'subscription { roundUpdated { id } }', {});
    return { client, one };
  });
  using source = eventSource(`${service.url}/api/events`);
  await Promise.all([source.first(3), ...clients.slice(0, 10).map(({ one }) => one.first(1))]);
  const turned = service.nextHour();
  await turned;
  await service.stop();
  await Promise.all(clients.map(async ({ client }) => client.dispose()));
  expect(service.reported).toEqual([]);
});
