import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { expect, test } from '@jest/globals';

import { listen } from '../../src/http/server.ts';
import { verifierText } from '../../src/transparency/notes.ts';
import { until } from '../support/poll.ts';
import { launch } from '../support/process.ts';
import { processDatabase } from '../support/process-database.ts';

test('a service offers its checkpoints to the witnesses of LOG_WITNESSES', async () => {
  await using database = await processDatabase();
  const offers: string[] = [];
  const witness = async (request: IncomingMessage, response: ServerResponse) => {
    offers.push(`${request.url}\n${await text(request)}`);
    response.writeHead(503).end();
  };
  const server = createServer((request, response) => void witness(request, response));
  const url = await listen(server, { port: 0, host: '127.0.0.1' });
  const key = verifierText({ name: 'witness.example', publicKey: randomBytes(32) }, 'cosignature');
  const clock = { CLOCK_START: '2026-01-01T12:10:00Z', CLOCK_SPEED: '1800', MARKET: 'simulated' };
  await using service = await launch({ ...database.settings, ...clock, LOG_WITNESSES: `${key}=${url}` });
  const offer = await until('an offer', () => offers[0] ?? null);
  const note = await (await fetch(`${service.url}/log/checkpoint`)).text();
  const [origin = ''] = note.split('\n');
  expect(offer.startsWith(`/add-checkpoint\nold 0\n\n${origin}\n`)).toBe(true);
  server.close().closeAllConnections();
});
