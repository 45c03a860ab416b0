import { connect } from 'node:net';

import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** What the service answers to these bytes. */
async function answerTo(bytes: string): Promise<{ status: number; body: unknown }> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(Buffer.from(chunk));
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
}

test('an address or headers that are too large get 431 with the reason', async () => {
  const long = 'x'.repeat(20_000);
  expect(await answerTo(`GET /api/health?${long} HTTP/1.1\r\nHost: x\r\n\r\n`)).toEqual({
    status: 431,
    body: { error: 'The address and headers are too large: at most 16 KiB are read.', code: 'headers_too_large' },
  });
});

test('input that is not HTTP gets 400 with the reason', async () => {
  expect(await answerTo('HELLO\r\n\r\n')).toEqual({
    status: 400,
    body: { error: 'The request is not valid HTTP.', code: 'unreadable_request' },
  });
});
