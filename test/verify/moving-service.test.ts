import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import { expect, test } from '@jest/globals';

import { verify } from '../../src/verify/verification.ts';
import { listening } from '../support/listening.ts';
import { openField } from '../support/played-field.ts';

/** Passes requests on to the service; before the `n`th one of a path, something happens. */
async function openProxy(target: string, path: string, before: (n: number) => Promise<void>) {
  let requests = 0;
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      if (request.url === path) await before((requests += 1));
      const passed = await passOn(target, request);
      response.writeHead(passed.status, { 'content-type': passed.headers.get('content-type') ?? '' });
      response.end(await passed.text());
    };
    answer().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  return listening(server);
}

async function passOn(target: string, request: IncomingMessage): Promise<Response> {
  if (request.method !== 'POST') return fetch(`${target}${request.url}`);
  const headers = { 'content-type': 'application/json' };
  return fetch(`${target}${request.url}`, { method: 'POST', headers, body: await text(request) });
}

test('rounds resolved while boards are read are read too, without a difference', async () => {
  const field = await openField({ agents: 5 });
  await field.play(8);
  await using proxy = await openProxy(field.service.url, '/api/stats', (n) =>
    n <= 2 ? field.play(1) : Promise.resolve(),
  );
  const printed: string[] = [];
  const needs = { print: (line: string) => printed.push(line) };
  const { differences } = await verify({ url: proxy.url, rounds: null, candles: null }, needs);
  expect(differences).toEqual([]);
  const again = 'A round was resolved while boards were read: reading it, and the boards again.';
  expect(printed).toEqual([again, again, expect.stringContaining(': 10 decided rounds (0 void), 1 to 10')]);
  await field.service.stop();
});

test('boards that keep changing are left out, with a note', async () => {
  const field = await openField({ agents: 2 });
  await field.play(2);
  await using proxy = await openProxy(field.service.url, '/api/stats', () => field.play(1));
  const printed: string[] = [];
  const needs = { print: (line: string) => printed.push(line) };
  const { differences } = await verify({ url: proxy.url, rounds: null, candles: null }, needs);
  expect(differences).toEqual([]);
  expect(printed).toContain(
    'Totals, standings, boards and stats were not checked: they changed during each of 10 readings.',
  );
  await field.service.stop();
});

test('rounds with more predictions than a page are read completely', async () => {
  const field = await openField({ agents: 1100 });
  await field.predict(1);
  await field.service.nextHour();
  const needs = { print: () => {} };
  const { differences, compared } = await verify({ url: field.service.url, rounds: null, candles: null }, needs);
  expect(differences).toEqual([]);
  expect(compared).toBeGreaterThan(1100 * 50);
  await field.service.stop();
});
