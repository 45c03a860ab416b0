import { createServer, type ServerResponse } from 'node:http';

import { expect, test } from '@jest/globals';

import { listen } from '../../src/http/server.ts';
import { MINUTE } from '../../src/rules/hours.ts';
import { call } from '../../src/webhooks/call.ts';
import { shared } from '../support/shared.ts';

type Answer = (response: ServerResponse) => void;

const server = shared(async (closing) => {
  const answers = new Map<string, Answer>();
  const opened = createServer(({ url = '' }, response) => answers.get(url)?.(response));
  const url = await listen(opened, { port: 0, host: '127.0.0.1' });
  closing.defer(() => {
    opened.closeAllConnections();
    opened.close();
  });
  return { url, answers };
});

function calling(path: string, answer: Answer) {
  server.answers.set(path, answer);
  const outgoing = { url: server.url + path, headers: {}, body: '{}' };
  return call(outgoing, { reach: 'any', callMs: 500 }, new AbortController().signal);
}

/** Writes as much as is taken, without an end. */
function flood(response: ServerResponse): void {
  while (response.write('x'.repeat(64 * 1024)));
  response.once('drain', () => flood(response));
}

test.each<[string, Answer]>([
  ['does not end', (response) => response.writeHead(200).flushHeaders()],
  ['has no end', (response) => flood(response.writeHead(200))],
  ['breaks off', (response) => response.writeHead(200).write('x', () => response.destroy())],
])('an answer whose body %s counts by its status', async (what, answer) => {
  expect(await calling(`/${encodeURIComponent(what)}`, answer)).toMatchObject({ status: 200, error: null });
});

test('an address accepted under an older policy is not called under the public one', async () => {
  let calls = 0;
  server.answers.set('/narrowed', (response) => response.writeHead((calls += 204)).end());
  for (const reach of ['public', 'any'] as const) {
    const outgoing = { url: `${server.url}/narrowed`, headers: {}, body: '{}' };
    // Where the name leads to is not what is wrong with it.
    const settings = { reach, resolve: () => Promise.resolve(['93.184.216.34']) };
    const called = await call(outgoing, settings, new AbortController().signal);
    expect([calls, called.error]).toEqual(
      reach === 'any' ? [204, null] : [0, 'Webhooks must now use public https:// addresses on port 443 or 8443.'],
    );
  }
});

test('a status that comes too late is none', async () => {
  expect(await calling('/silent', () => {})).toMatchObject({
    status: null,
    error: 'There was no answer within 0.5 s.',
  });
});

test('an answer that changes the protocol is a failure at once', async () => {
  const called = await calling('/upgrade', (response) => {
    response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  });
  expect(called).toMatchObject({ status: null, error: 'The connection failed, or closed without an answer.' });
});

test('an answer that is too long ends the call before its deadline', async () => {
  server.answers.set('/too-long', (response) => flood(response.writeHead(200)));
  const outgoing = { url: `${server.url}/too-long`, headers: {}, body: '{}' };
  const settings = { reach: 'any', callMs: 10 * MINUTE } as const;
  expect(await call(outgoing, settings, new AbortController().signal)).toMatchObject({ status: 200 });
});

test('the connection of a call closes with it', async () => {
  const closed = Promise.withResolvers<void>();
  const called = await calling('/open', (response) => {
    response.once('close', closed.resolve).writeHead(200).flushHeaders();
  });
  expect(called).toMatchObject({ status: 200 });
  await closed.promise;
});
