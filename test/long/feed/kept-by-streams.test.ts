import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { LIMITS } from '../../../src/limits.ts';
import { launch, type RunningService } from '../../support/process.ts';
import { processDatabase } from '../../support/process-database.ts';

const STREAMS = 2_000;
const AT_ONCE = 10;
/** Node accepts over 900 short headers in a head of 16 KiB. Parsed and kept, those of all streams take 300 MB. */
const HEADERS = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`a${n.toString(36)}`, '']));

let opened: AsyncDisposableStack;
let service: RunningService;

beforeAll(async () => {
  opened = new AsyncDisposableStack();
  const database = opened.use(await processDatabase());
  service = opened.use(await launch({ ...database.settings, NODE_OPTIONS: '--max-old-space-size=256' }));
});

afterAll(() => opened.disposeAsync());

async function open(localAddress: string): Promise<number | undefined> {
  const request = get(`${service.url}/api/events?kinds=ROUND_VOID`, { localAddress, agent: false, headers: HEADERS });
  opened.defer(() => void request.destroy());
  const [response]: [IncomingMessage] = await once(request, 'response').then(([one]) => [one]);
  response.on('error', () => {}).resume();
  request.on('error', () => {});
  return response.statusCode;
}

test('a service with a heap of 256 MB serves 2,000 event streams with many headers each', async () => {
  const statuses: unknown[] = [];
  for (let begun = 0; begun < STREAMS; begun += AT_ONCE) {
    // Each address starts as many streams as it may in a minute.
    const address = `127.0.1.${1 + Math.floor(begun / LIMITS.currentRound.requests)}`;
    statuses.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => open(address)))));
  }
  expect(statuses).toEqual(statuses.map(() => 200));
  expect(await service.get('/livez')).toMatchObject({ status: 200 });
});
