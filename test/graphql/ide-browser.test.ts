import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { IDE_EXAMPLES } from '../../src/graphql/ide-examples.ts';
import { LIMITS } from '../../src/limits.ts';
import { asksForSchema } from '../../src/graphql/document-transport.ts';
import { predict, registerMany } from '../support/agents.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { currentRound } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';

(hasBrowser() ? describe : describe.skip)('GraphQL IDE in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  const requested: string[] = [];
  const complaints: string[] = [];
  const sentKeys: (string | undefined)[] = [];
  let introspections = 0;

  beforeAll(async () => {
    service = await startService({ rateLimits: true });
    browser = await openBrowser();
    page = await browser.newPage();
    page.on('request', (request) => {
      requested.push(request.url());
      sentKeys.push(request.headers()['authorization']);
      if (asksForSchema(request.postData() ?? '')) introspections += 1;
    });
    page.on('websocket', (socket) => requested.push(socket.url()));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${service.url}/graphql`);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  test('the IDE opens with the examples in order, and selects the first', async () => {
    const tabs = page.locator('.window-switcher__item');
    await tabs.nth(IDE_EXAMPLES.length - 1).waitFor();
    const names = (await tabs.allInnerTexts()).map((text) => text.split('\n')[0]);
    expect(names.slice(0, IDE_EXAMPLES.length)).toEqual(IDE_EXAMPLES.map(({ name }) => name));
    await page.locator('.window-switcher__item--active', { hasText: 'What is asked now?' }).waitFor();
  });

  test('the IDE loads the schema by itself within the limit of introspection', async () => {
    await page.getByRole('button', { name: 'Docs' }).click();
    await page.locator('app-doc-viewer').getByText('Query', { exact: true }).first().waitFor();
    expect(introspections).toBeGreaterThan(0);
    // Somebody who opens the page again within the minute gets the schema, too.
    expect(introspections).toBeLessThanOrEqual(LIMITS.introspection.requests / 2);
  });

  test('the IDE runs an example and shows its result', async () => {
    await page.getByRole('button', { name: 'Send Request' }).click();
    await page.locator('app-query-result').getByText('"totalEntries"').waitFor();
  });

  test('the IDE subscribes to the feed over a WebSocket, from now on', async () => {
    await page.getByText('Watch it live').first().click();
    await page.getByRole('button', { name: 'Send Request' }).click();
    await page.locator('app-query-result').getByText('"active"').first().waitFor();
  });

  test('the IDE has a header for a key', async () => {
    await page.getByText('Who am I? (needs a key)').first().click();
    await page.getByRole('button', { name: 'Send Request' }).click();
    await page.locator('app-query-result').getByText('UNAUTHENTICATED').first().waitFor();
    expect(sentKeys).toContain('Bearer pk_live_...');
  });

  test('the IDE shows figures as numbers with six digits', async () => {
    const players = await registerMany(service, 'player', 3);
    const { choices } = await currentRound(service);
    for (const [place, player] of players.entries())
      expect((await predict(service, player, { prediction: choices[Math.min(place, 1)] })).status).toBe(201);
    const query = '{ currentRound { crowd { answers { share } } } }';
    const other = await browser.newPage();
    await other.goto(`${service.url}/graphql#query=${encodeURIComponent(query)}`);
    await other.getByRole('button', { name: 'Send Request' }).click();
    const result = other.locator('app-query-result');
    await result.getByText('0.666667').first().waitFor();
    expect(await result.innerText()).not.toMatch(/"0\.\d+"/);
    await other.close();
  });

  test('the IDE makes requests only to the service, and logs no error', () => {
    const own = new URL(service.url).host;
    expect(requested.length).toBeGreaterThan(10);
    expect(requested.filter((url) => !/^(data|blob):/.test(url) && new URL(url).host !== own)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
