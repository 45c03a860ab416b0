import { existsSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium } from 'playwright-core';

import { postgresQueues } from '../../src/backplane/postgres-queue.ts';
import { RESOLUTIONS, resolutionJob } from '../../src/jobs/queue-names.ts';
import { ASSETS } from '../../src/rules/assets.ts';
import { until } from '../jobs/until.ts';
import { endQuietly } from '../rest/quiet-end.ts';
import { currentRound, startOf } from '../rest/rounds.ts';
import { createTestDatabase } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { look, TOKEN } from './admin.ts';

const CHROMIUM = '/usr/bin/chromium';
const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];

const installed = existsSync(CHROMIUM);
if (!installed && process.env['CI'] === 'true')
  throw new Error(`The page is tested in ${CHROMIUM}, which is not there`);

let service: TestService;
const opened = new AsyncDisposableStack();

/** A service beside a queue in which the first round's resolution has failed once and waits for its next try. */
beforeAll(async () => {
  const database = await createTestDatabase();
  opened.defer(() => database.drop());
  const queue = await postgresQueues(database.connection, () => {})({
    name: RESOLUTIONS,
    concurrency: 1,
    run: () => Promise.reject(new Error('Two sources are silent')),
    retryDelayMs: () => 3_600_000,
  });
  opened.defer(() => queue.close());
  service = await startService({
    database,
    adminToken: TOKEN,
    operating: {
      backplane: {
        status: () => [{ part: 'queue', driver: 'postgresql', up: true }],
        counts: async () => ({ [RESOLUTIONS]: await queue.counts() }),
        nativeQueues: () => [queue.native],
      },
    },
  });
  opened.defer(() => endQuietly(service));
  const round = await currentRound(service);
  for (const asset of ASSETS) service.market.script(asset, startOf(round), null);
  await service.nextHour();
  await queue.add({ id: resolutionJob(round.id), data: { roundId: round.id } });
  await until('the job waits for its next try', async () => (await queue.counts()).delayed === 1);
});

afterAll(() => opened.disposeAsync());

test('a stuck round tells which try comes next, and what the last one ended with', async () => {
  expect((await look(service, '/admin/rounds/stuck')).body.rounds).toEqual([
    expect.objectContaining({ id: 1, attempt: 2, reason: 'Two sources are silent' }),
  ]);
});

test('the metrics count the jobs', async () => {
  const { body } = await service.request('GET', '/metrics');
  expect(body).toContain(`hourcast_queue_jobs{queue="${RESOLUTIONS}",state="delayed"} 1`);
  expect(body).toContain('hourcast_shared_part_up{part="queue",driver="postgresql"} 1');
});

(installed ? describe : describe.skip)(`the page of the queues in a browser (needs ${CHROMIUM})`, () => {
  test('asks for the token, shows the queue and its job, changes nothing and asks nobody else', async () => {
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET });
    try {
      const stranger = await browser.newPage();
      await expect(stranger.goto(`${service.url}/admin/queues`)).rejects.toThrow('INVALID_AUTH_CREDENTIALS');
      const context = await browser.newContext({ httpCredentials: { username: 'operator', password: TOKEN } });
      const page = await context.newPage();
      const answered: string[] = [];
      page.on('response', (response) => answered.push(response.url()));
      const faults: string[] = [];
      page.on('pageerror', ({ message }) => faults.push(message));
      await page.goto(`${service.url}/admin/queues/queue/${RESOLUTIONS}?status=delayed`);
      await page.getByText('resolve-1').first().waitFor();
      expect(faults).toEqual([]);
      expect(answered.filter((url) => !url.startsWith(service.url))).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
