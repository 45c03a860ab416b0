import { expect, test } from '@jest/globals';
import { buffer, text } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { describeWith } from '../../support/installed.ts';
import { until } from '../../support/poll.ts';
import { sharedService } from '../../support/shared.ts';
import { endOfLog, publish } from '../../support/written-events.ts';
import { startNginx } from '../deployment/nginx.ts';

const POLLS = 10_000;
const AT_ONCE = 100;
const LAST = 3500;
const HEAD = '/api/events/head';
const PATHS = [HEAD, ...[1, 2, 3].map((n) => `/api/events/segments/${n}?epoch=1`)];
/** Spellings of three encodings. */
const ACCEPTED = ['gzip, deflate, br', 'br', 'br;q=0, gzip', 'gzip', 'identity', 'br;q=0.0, gzip;q=0'];
const DECODED: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync };
const ENCODINGS = 3;
const SECOND = 1000;

describeWith(['nginx', 'openssl'], 'segments behind nginx', () => {
  const service = sharedService(() => ({ trustProxy: true }));

  /** Requests of a route so far, whatever their status. */
  async function counted(route: string): Promise<number> {
    const { body } = await service.request('GET', '/metrics');
    const rows = String(body).matchAll(/^hourcast_http_requests_total\{route="([^"]*)".*\} (\d+)$/gm);
    return [...rows].reduce((sum, [, name, count]) => (name === route ? sum + Number(count) : sum), 0);
  }

  test('10,000 polls cost a request for each segment and encoding, and one of the head a second', async () => {
    await using stack = new AsyncDisposableStack();
    await publish(service, LAST - (await endOfLog(service)));
    const { get } = await startNginx(stack, [service.url, service.url]);
    const bodies = new Map<string, Set<string>>();
    const poll = async (turn: number): Promise<void> => {
      const path = PATHS[turn % PATHS.length] ?? HEAD;
      const accepted = ACCEPTED[Math.floor(turn / PATHS.length) % ACCEPTED.length];
      const answer = await get(path, { 'accept-encoding': accepted });
      const bytes = await buffer(answer);
      const { 'content-encoding': encoding = 'identity' } = answer.headers;
      expect([answer.statusCode, answer.headers['x-request-id']]).toEqual([200, undefined]);
      const kept = bodies.get(`${path} ${encoding}`) ?? new Set();
      bodies.set(`${path} ${encoding}`, kept.add((DECODED[encoding] ?? ((plain) => plain))(bytes).toString()));
    };
    const began = performance.now();
    let turn = 0;
    const poller = async (): Promise<void> => {
      while (turn < POLLS) await poll(turn++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, poller));
    const seconds = Math.ceil((performance.now() - began) / SECOND) + 1;
    expect([...bodies].map(([, texts]) => texts.size)).toEqual(PATHS.flatMap(() => [1, 1, 1]));
    expect(await counted('/api/events/segments/:n')).toBe((PATHS.length - 1) * ENCODINGS);
    const heads = await counted(HEAD);
    expect(heads).toBeGreaterThan(0);
    expect(heads).toBeLessThanOrEqual(seconds * ENCODINGS);
    await publish(service, 1);
    const newest = async (): Promise<number> => JSON.parse(await text(await get(HEAD))).last_seq;
    await until('the new event', async () => (await newest()) === LAST + 1);
  });
});
