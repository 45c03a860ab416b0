import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

import { expect, test } from '@jest/globals';

import { faultyServer, type Step } from '../../clients/faulty-server.ts';
import { until } from '../../support/poll.ts';
import { startService } from '../../support/service.ts';

const GUIDE = new URL('../../../docs/agents.md', import.meta.url);

function startBot(url: string, stderr: 'inherit' | 'ignore' = 'inherit') {
  const [, program = ''] = /```js\n(.*?)```/s.exec(readFileSync(GUIDE, 'utf8')) ?? [];
  const bot = spawn(process.execPath, ['--input-type=module', '-'], {
    env: { ...process.env, HOURCAST_URL: url },
    stdio: ['pipe', 'ignore', stderr],
  });
  bot.stdin.end(program);
  return bot;
}

test("the guide's bot registers, and answers two rounds", async () => {
  const service = await startService();
  const bot = startBot(service.url);
  const entryOf = (round: number) =>
    until(`an entry in round ${round}`, async () => {
      const { body } = await service.request('GET', `/api/rounds/${round}/entries`);
      return body.entries.length > 0 && body.entries;
    });
  const entry = expect.objectContaining({ agent_name: expect.stringMatching(/^bot-/), score: null });
  try {
    expect(await entryOf(1)).toEqual([entry]);
    await service.nextHour();
    expect(await entryOf(2)).toEqual([entry]);
  } finally {
    bot.kill();
    await service.stop();
  }
});

test("the guide's bot outlasts a lost registration and a proxy's page", async () => {
  const round = { id: 7, question: 'Which?', choices: ['BTC', 'ETH'], params: {} };
  const steps: readonly Step[] = [
    'cut',
    { status: 409, body: { error: 'The name is taken.', code: 'name_taken' } },
    { status: 201, body: { api_key: 'mine' } },
    { status: 502, body: '<html>' },
    { status: 408, body: '' },
    { status: 200, body: { round } },
    { status: 200, body: { assets: {} } },
    'silent',
  ];
  await using server = await faultyServer(steps);
  const bot = startBot(server.url);
  try {
    await until('the prediction', () => server.received.length === steps.length);
    expect(server.received.at(-1)).toMatchObject({
      requestLine: 'POST /api/predictions',
      authorization: 'Bearer mine',
      idempotencyKey: 'round-7',
    });
  } finally {
    bot.kill();
  }
});

test("the guide's bot pauses where a retry time is a date", async () => {
  const headers = { 'retry-after': 'Thu, 01 Jan 2026 00:00:00 GMT' };
  await using server = await faultyServer([{ status: 503, headers }]);
  const bot = startBot(server.url);
  try {
    await until('the first try', () => server.received.length > 0);
    const start = performance.now();
    await until('the second one', () => server.received.length > 1);
    expect(performance.now() - start).toBeGreaterThan(1_000);
  } finally {
    bot.kill();
  }
});

test("the guide's bot ends where a proxy refuses with a page", async () => {
  await using server = await faultyServer([{ status: 403, body: '<html>' }]);
  const bot = startBot(server.url, 'ignore');
  expect(await once(bot, 'exit')).toEqual([1, null]);
  expect(server.received.map(({ requestLine }) => requestLine)).toEqual(['POST /api/agents/register']);
});
