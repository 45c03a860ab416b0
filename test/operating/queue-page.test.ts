import { existsSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium } from 'playwright-core';

import { postgresQueues } from '../../src/backplane/local.ts';
import { TURNS } from '../../src/jobs/jobs.ts';
import { endQuietly } from '../support/quiet-end.ts';
import { createTestDatabase } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { TOKEN } from './admin.ts';

const CHROMIUM = '/usr/bin/chromium';
const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];

const installed = existsSync(CHROMIUM);
if (!installed && process.env['CI'] === 'true')
  throw new Error(`The page is tested in ${CHROMIUM}, which is not there`);

let service: TestService;
const opened = new AsyncDisposableStack();

/** A service beside a queue with a job that is put off. */
beforeAll(async () => {
  const database = await createTestDatabase();
  opened.defer(() => database.drop());
  const queue = await postgresQueues(database.connection, () => {})({
    name: TURNS,
    run: null,
  });
  opened.defer(() => queue.close());
  service = await startService({
    database,
    adminToken: TOKEN,
    backplane: {
      status: () => [{ part: 'queue', driver: 'postgresql', up: true }],
      counts: async () => ({ [TURNS]: await queue.counts() }),
      nativeQueues: () => [queue.native],
    },
  });
  opened.defer(() => endQuietly(service));
  await queue.add({ id: 'turn-1', delayMs: 3_600_000 });
});

afterAll(() => opened.disposeAsync());

test('the metrics count the jobs', async () => {
  const { body } = await service.request('GET', '/metrics');
  expect(body).toContain(`hourcast_queue_jobs{queue="${TURNS}",state="delayed"} 1`);
  expect(body).toContain('hourcast_dependency_up{part="queue",driver="postgresql"} 1');
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
      await page.goto(`${service.url}/admin/queues/queue/${TURNS}?status=delayed`);
      await page.getByText('turn-1').first().waitFor();
      expect(faults).toEqual([]);
      expect(answered.filter((url) => !url.startsWith(service.url))).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
