import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { FEED_LIMITS } from '../../../src/limits.ts';
import { steadyMs } from '../../../src/clock.ts';
import type { Hoard, Hoarded } from '../../feed/hoarding-clients.ts';
import { launch, type RunningService } from '../../support/process.ts';
import { processDatabase } from '../../support/process-database.ts';
import { rawSocket } from '../../support/raw-socket.ts';

const CLIENTS = join(import.meta.dirname, '../../feed/hoarding-clients.ts');
const MB = 1024 * 1024;
/** Parsed and kept, the messages would take more than 2 GB. Some 60 MB are what sockets and uncollected garbage take. */
const MOST_MORE = 200 * MB;
const MOST_MS = 500;
const TOO_MANY = '1013 This address has too many sockets without a key; send one in connection_init, or close some';

/** All that is open, also where opening the rest has failed. */
let opened: AsyncDisposableStack;
let service: RunningService;

async function serveWith(settings: Readonly<Record<string, string>>): Promise<void> {
  opened = new AsyncDisposableStack();
  const database = opened.use(await processDatabase());
  service = opened.use(await launch({ ...database.settings, ...settings }));
}

async function resident(): Promise<number> {
  const status = await readFile(`/proc/${service.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

/** As much work as ordinary callers make: Node takes its memory for garbage once, whoever comes first. */
async function warmUp(): Promise<void> {
  for (let request = 0; request < 3000; request += 1)
    await service.post('/graphql', { query: `# ${request}\n{ rounds(first: 20) { nodes { id question choices } } }` });
}

/** Asks whether it lives until `over`; the time within which 99 of 100 answers came. */
async function slowest(over: Promise<unknown>): Promise<number> {
  const took: number[] = [];
  const ended = new AbortController();
  void over.finally(() => ended.abort());
  while (!ended.signal.aborted || took.length < 100) {
    const began = steadyMs();
    await service.get('/livez');
    took.push(steadyMs() - began);
    await delay(10);
  }
  return took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? 0;
}

async function hoard(): Promise<{ readonly hoarded: Hoarded; readonly p99: number }> {
  const clients = fork(CLIENTS);
  opened.defer(() => void clients.kill('SIGKILL'));
  const sent: Hoard = { url: service.url, sockets: 3900, subscriptions: 600 };
  clients.send(sent);
  const done: Promise<[Hoarded]> = once(clients, 'message').then(([hoarded]) => [hoarded]);
  const p99 = await slowest(done);
  const [hoarded] = await done;
  return { hoarded, p99 };
}

describe.each([
  ['by default', {}],
  ['with a heap of 256 MB', { NODE_OPTIONS: '--max-old-space-size=256' }],
])('service %s with 3,900 WebSockets and 600 large subscriptions of one address', (_, settings) => {
  beforeAll(() => serveWith(settings));
  afterAll(() => opened.disposeAsync());

  test('the service stores nothing of them, answers others, and closes excess WebSockets with a reason', async () => {
    await warmUp();
    const quiet = await slowest(Promise.resolve());
    const before = await resident();
    const { hoarded, p99 } = await hoard();
    const more = (await resident()) - before;
    const quietest = Math.max(quiet, await slowest(Promise.resolve()));
    process.stderr.write(
      `${Math.round(more / MB)} MB more, /livez p99 ${p99.toFixed(0)} ms, quiet ${quietest.toFixed(0)} ms\n`,
    );
    expect(hoarded).toMatchObject({ open: FEED_LIMITS.socketsWithoutKeyPerAddress, refused: 0 });
    expect(Object.keys(hoarded.closed)).toEqual([TOO_MANY]);
    expect(more).toBeLessThan(MOST_MORE);
    // A machine that does much else answers late without any attack.
    expect(p99).toBeLessThan(Math.max(MOST_MS, 20 * quietest));
    const agent: { readonly api_key: string } = (await service.post('/api/agents/register', { name: 'beside-them' }))
      .body;
    using socket = await rawSocket(service.url, { init: { authorization: `Bearer ${agent.api_key}` } });
    expect(socket.items).toEqual([{ type: 'connection_ack' }]);
  });
});
