import { existsSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';

import { startService, type TestService } from '../support/service.ts';

const CHROMIUM = '/usr/bin/chromium';
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const installed = existsSync(CHROMIUM);
if (!installed && process.env['CI'] === 'true') throw new Error(`The IDE is tested in ${CHROMIUM}, which is not there`);

(installed ? describe : describe.skip)(`the IDE in a browser (needs ${CHROMIUM})`, () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  const requested: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    service = await startService();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET });
    page = await browser.newPage();
    page.on('request', (request) => requested.push(request.url()));
    page.on('websocket', (socket) => requested.push(socket.url()));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${service.url}/graphql`);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  test('opens with the examples', async () => {
    await page.getByText('What is asked now?').first().waitFor();
    await page.getByText('Watch it live').first().waitFor();
  });

  test('runs an example and shows its result', async () => {
    await page.getByRole('button', { name: 'Send Request' }).click();
    await page.locator('app-query-result').getByText('"totalEntries"').waitFor();
  });

  test('follows the feed over the socket', async () => {
    await page.getByText('Watch it live').first().click();
    await page.getByRole('button', { name: 'Send Request' }).click();
    await page.locator('app-query-result').getByText('ROUND_OPENED').first().waitFor();
  });

  test('asks nobody but the service, and complains of nothing', () => {
    const own = new URL(service.url).host;
    expect(requested.length).toBeGreaterThan(10);
    expect(requested.filter((url) => !/^(data|blob):/.test(url) && new URL(url).host !== own)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
