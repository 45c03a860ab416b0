import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { operationsOf } from '../../../src/pages/guides/llms.ts';
import { hasBrowser, openBrowser } from '../../support/browser.ts';
import { reference } from '../../support/reference.ts';
import { startService, type TestService } from '../../support/service.ts';
import { visit, type Visit } from '../../support/visit.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

(hasBrowser() ? describe : describe.skip)('reference and guides in a browser', () => {
  let browser: Browser;
  let visitor: Visit;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
    visitor = await visit(browser, service.url);
    ({ page } = visitor);
  });
  afterAll(() => browser.close());

  test('the reference has every operation, and sends one', async () => {
    await visitor.open('/docs');
    const operations = operationsOf(reference().document);
    await page
      .getByRole('button', { name: 'Try it' })
      .nth(operations.length - 1)
      .waitFor();
    expect(await page.locator('h3.operation').allInnerTexts()).toHaveLength(operations.length);
    const health = page.locator('section[data-path="/api/health"]');
    await health.getByRole('button', { name: 'Try it' }).click();
    await health.getByRole('button', { name: 'Send' }).click();
    await health.getByRole('status').getByText('"market_source"').waitFor();
    await health.getByText('200 OK').waitFor();
  });

  test('the reference loads its description when an operation is tried, and begins with “Start here”', async () => {
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await visitor.open('/docs');
    expect(await page.locator('h1').innerText()).toBe('Start here');
    const tried = page.getByRole('button', { name: 'Try it' }).first();
    await tried.waitFor();
    expect(requests.filter((path) => path === '/openapi.json')).toEqual([]);
    await tried.click();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    expect(requests.filter((path) => path === '/openapi.json')).toHaveLength(1);
  });

  test('the reference shows why a form cannot be loaded, and loads it with the next press', async () => {
    await visitor.open('/docs');
    const health = page.locator('section[data-path="/api/health"]');
    const press = health.getByRole('button', { name: 'Try it' });
    await page.route('**/openapi.json', (route) => route.fulfill({ status: 503 }));
    await press.click();
    await health.getByRole('status').getByText('The form cannot be loaded: /openapi.json: 503').waitFor();
    await page.unroute('**/openapi.json');
    expect(visitor.complaints.splice(0)).toEqual([expect.stringContaining('503')]);
    await press.click();
    await health.getByRole('button', { name: 'Send' }).waitFor();
    expect(await health.getByText('The form cannot be loaded').count()).toBe(0);
  });

  test('the reference sends a key and a body, shows the refusal, and does not store the key', async () => {
    const predicting = page.locator('section[data-path="/api/predictions"]');
    await predicting.getByRole('button', { name: 'Try it' }).click();
    await predicting.getByLabel('API key').fill('pk_live_typed');
    await predicting.getByLabel('Body').fill('{"round_id": 1}');
    await predicting.getByRole('button', { name: 'Send' }).click();
    await predicting.getByRole('status').getByText('malformed_key').waitFor();
    expect(visitor.complaints.splice(0)).toEqual([expect.stringContaining('401')]);
    expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).toBe('{}');
  });

  test('the reference shows a stream’s first events at once', async () => {
    const events = page.locator('section[data-path="/api/events"]');
    await events.getByRole('button', { name: 'Try it' }).click();
    await events.getByLabel('after').fill('0');
    await events.getByRole('button', { name: 'Send' }).click();
    await events.getByRole('status').getByText('ROUND_OPENED').first().waitFor();
  });

  test('a language selected once applies to all programs of a page', async () => {
    const current = page.locator('section[data-path="/api/rounds/current"]');
    await current.getByRole('radio', { name: 'Python' }).check();
    await page.locator('section[data-path="/api/stats"]').getByText('client.stats()').last().waitFor();
    expect(await page.getByText('curl -s').first().isVisible()).toBe(false);
  });

  test('the copy button copies the visible program', async () => {
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const current = page.locator('section[data-path="/api/rounds/current"]');
    await current.getByRole('radio', { name: 'curl' }).check();
    await current.getByRole('button', { name: 'Copy' }).first().click();
    await current.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`curl -s '${service.url}/api/rounds/current'`);
  });

  test('a query of a guide opens in the IDE beside stored ones', async () => {
    await visitor.open('/docs/analysts');
    await page.getByRole('link', { name: 'Open in the IDE' }).first().click();
    await page.locator('.window-switcher__item--active', { hasText: 'A query' }).waitFor();
    await page.getByRole('button', { name: 'Send Request' }).click();
    await page.locator('app-query-result').getByText('"currentRound"').waitFor();
    await visitor.open('/graphql');
    await page.locator('.window-switcher__item--active', { hasText: 'What is asked now?' }).waitFor();
  });

  test('the reference is readable without scripts in every language', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const bare = await context.newPage();
    await bare.goto(`${service.url}/docs`);
    const section = bare.locator('section[data-path="/api/rounds/current"]');
    expect(await section.getByText('curl -s').isVisible()).toBe(true);
    await section.getByRole('radio', { name: 'JavaScript' }).check();
    expect(await section.getByText('client.currentRound()').isVisible()).toBe(true);
    await context.close();
  });

  test('the documents make requests only to the service, and log no error', () => {
    const { foreign, complaints } = visitor;
    expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
  });
});
