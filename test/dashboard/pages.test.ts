import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { fixedPort } from '../support/fixed-port.ts';
import { openField, type PlayedField } from '../support/played-field.ts';
import { startService, type TestService } from '../support/service.ts';

const CHROMIUM = '/usr/bin/chromium';
const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const installed = existsSync(CHROMIUM);
if (!installed && process.env['CI'] === 'true')
  throw new Error(`The page is tested in ${CHROMIUM}, which is not there`);

/** Every page with what its first heading says. */
const PAGES = [
  ['/', /\?$/],
  ['/rounds', /^Rounds$/],
  ['/rounds?type=direction&asset=BTC', /^Rounds$/],
  ['/rounds/3', /\?$/],
  ['/agents/2', /^Agent-2/],
  ['/leaderboard?period=alltime', /^Leaderboard$/],
  ['/questions', /^Questions$/],
  ['/about', /^One question an hour$/],
  ['/join', /^Join$/],
  ['/agents/999', /^No such agent$/],
] as const;

(installed ? describe : describe.skip)(`the page in a browser (needs ${CHROMIUM})`, () => {
  let database: TestDatabase;
  let field: PlayedField;
  let service: TestService;
  let port: number;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const complaints: string[] = [];
  const foreign: string[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    port = await fixedPort();
    field = await openField({ agents: 12, port, database });
    service = field.service;
    await field.play(16);
    await field.predict();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET });
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    context.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol !== 'data:' && url.host !== `127.0.0.1:${port}`) foreign.push(request.url());
    });
    page = await context.newPage();
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    await database.drop();
  });

  const open = async (path: string): Promise<void> => {
    await page.goto(`${service.url}${path}`);
  };
  const heading = () => page.getByRole('heading', { level: 1 });
  const link = () => page.locator('.link');
  /** What axe finds wrong, by rule and place. */
  const faults = async (): Promise<unknown> => {
    await page.evaluate(AXE);
    return page.evaluate(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`);
  };

  test.each(PAGES)(
    '%s opens whole, fits a narrow screen and is accessible by day and by night',
    async (path, title) => {
      await page.setViewportSize({ width: 1280, height: 900 });
      await open(path);
      await heading().filter({ hasText: title }).waitFor();
      await page.locator('.loading').waitFor({ state: 'detached' });
      expect(await faults()).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.setViewportSize({ width: 320, height: 800 });
      expect(await faults()).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1280, height: 900 });
    },
  );

  test('shows what came with it, and asks for none of that again', async () => {
    const asked: string[] = [];
    const note = (request: { url(): string; postData(): string | null }): void => {
      if (request.url().endsWith('/graphql')) asked.push(request.postData() ?? '');
    };
    page.on('request', note);
    await open('/');
    await page.locator('.hour-newest').waitFor();
    page.off('request', note);
    expect(asked.filter((text) => text.includes('leaderboard'))).toEqual([]);
    expect(asked.filter((text) => text.includes('reference')).length).toBe(1);
  });

  test('shows an entry, then the next hour and the decided one, by themselves', async () => {
    await open('/');
    await link().filter({ hasText: 'Live' }).waitFor();
    const before = await page.locator('.crowd h2 small').innerText();
    await field.predict(1);
    await page.locator('.crowd h2 small').filter({ hasNotText: before }).waitFor();
    const asked = await page.locator('.eyebrow a').innerText();
    await service.nextHour();
    await page.locator('.eyebrow a').filter({ hasNotText: asked }).waitFor();
    const decided = Number(asked.replace('Round ', ''));
    await page.locator(`.over a[href="/rounds/${decided}"] .outcome`).filter({ hasNotText: 'decided' }).waitFor();
  });

  test('goes on without a gap after the service was away', async () => {
    const newest = () => page.locator('.over a[href^="/rounds/"]').first().getAttribute('href');
    const last = Number((await newest())?.split('/').at(-1));
    const now = service.clock.now().toISOString();
    await service.stop();
    await link().filter({ hasText: 'Reconnecting' }).waitFor();
    // Two hours pass where the page cannot see them.
    const elsewhere = await startService({ start: now, database });
    await elsewhere.nextHour();
    await elsewhere.nextHour();
    const later = elsewhere.clock.now().toISOString();
    await elsewhere.stop();
    service = await startService({ start: later, port, database });
    await link().filter({ hasText: 'Live' }).waitFor();
    await page.locator(`.over a[href="/rounds/${last + 2}"]`).waitFor();
    const shown = await page
      .locator('.over a[href^="/rounds/"]')
      .evaluateAll((links) => links.map((one) => one.getAttribute('href')));
    expect(shown.slice(0, 3)).toEqual([last + 2, last + 1, last].map((id) => `/rounds/${id}`));
  });

  test('says when it is offline, and when it is live again', async () => {
    await context.setOffline(true);
    await link().filter({ hasText: 'Offline' }).waitFor();
    await context.setOffline(false);
    await link().filter({ hasText: 'Live' }).waitFor();
    // What failed meanwhile was to fail.
    complaints.length = 0;
  });

  test('leads from /join to a scored prediction by clicks alone', async () => {
    await open('/join');
    await page.getByLabel('The agent’s name').fill('clicker');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText(/^pk_live_[0-9a-f]{48}$/).waitFor();
    await page.locator('.picks label').first().click();
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('heading', { name: 'Taken' }).waitFor();
    await service.nextHour();
    await page.locator('.awaited .outcome').waitFor();
    await page.getByRole('link', { name: 'Your agent’s page' }).click();
    await heading().filter({ hasText: 'clicker' }).waitFor();
  });

  test('asks nobody but the service, and nothing fails in it', () => {
    expect({ foreign, complaints: complaints.filter((text) => !text.includes('404')) }).toEqual({
      foreign: [],
      complaints: [],
    });
  });
});
