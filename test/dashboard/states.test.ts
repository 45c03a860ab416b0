import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';

import { register } from '../support/agents.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { openField, type PlayedField } from '../support/played-field.ts';
import { FAULTLESS, visit, type Visit } from '../support/visit.ts';

/** Of a platform on which nobody has registered yet: what its pages say instead. */
const EMPTY_PAGES = [
  ['now', '/', 'Software agents answer one question an hour'],
  ['rounds', '/rounds?status=resolved', 'No round fits.'],
  ['leaderboard', '/leaderboard', 'Nobody has a scored prediction in this window'],
  ['questions', '/questions', 'Figures over the last 0 decided rounds.'],
] as const;

const unavailable = (reason: string, retryAfter?: number) => ({
  json: { errors: [{ message: 'The service is busy.', extensions: { code: 'UNAVAILABLE', reason, retryAfter } }] },
});

/** The page does not ask again by itself. */
const BROKEN = { json: { errors: [{ message: 'It broke.', extensions: { code: 'INTERNAL' } }] } };

(hasBrowser() ? describe : describe.skip)('incomplete pages', () => {
  let field: PlayedField;
  let browser: Browser;
  let visitor: Visit;

  beforeAll(async () => {
    field = await openField({ agents: 0 });
    browser = await openBrowser();
    visitor = await visit(browser, field.service.url);
  });
  afterAll(async () => {
    await browser.close();
    await field.service.stop();
  });

  test.each(EMPTY_PAGES)('%s has an explanation on an empty platform', async (name, path, text) => {
    await visitor.open(path);
    await visitor.page.getByText(text).waitFor();
    await visitor.whole();
    expect(await visitor.faultsInAllLooks()).toEqual(FAULTLESS);
    await visitor.picture(`empty-${name}`);
  });

  test('a page shows that it is loading, then the answer', async () => {
    const { page } = visitor;
    await visitor.open('/');
    await visitor.link().filter({ hasText: 'Live' }).waitFor();
    const { promise: comes, resolve: come } = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      await comes;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Questions' }).click();
    // The code of the page comes first; its heading is drawn with it, its figures are not.
    await page.getByRole('heading', { level: 1, name: 'Questions' }).waitFor();
    await page.getByText('Loading').waitFor({ state: 'attached' });
    expect(await visitor.faults()).toEqual([]);
    await visitor.picture('loading');
    come();
    await visitor.whole();
    await page.getByRole('heading', { name: 'Touch' }).waitFor();
    await page.unroute('**/graphql');
  });

  test('a page shows an error, and retries on request', async () => {
    const { page } = visitor;
    await visitor.open('/');
    // By itself it would retry after seconds, and take the button away.
    await page.route('**/graphql', (route) => route.fulfill(unavailable('database_unavailable', 3600)));
    await page.getByRole('link', { name: 'Rounds', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'The service is away for a moment.' }).waitFor();
    expect(await visitor.faults()).toEqual([]);
    await visitor.picture('error');
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await page.locator('.round-list').waitFor();
  });

  test('a page shows that prices are stale', async () => {
    const late = await visit(browser, field.service.url);
    await late.page.route('**/', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll('"stale":false', '"stale":true') });
    });
    // Newer prices would come at once.
    await late.page.routeWebSocket('**/graphql', () => {});
    await late.open('/');
    await late.page.locator('.market h2').filter({ hasText: 'out of date' }).waitFor();
    expect(await late.faults()).toEqual([]);
    await late.picture('now-stale');
    await late.context.close();
  });

  test('prices have no note while they load or the service is away, and one where there are none', async () => {
    const early = await visit(browser, field.service.url);
    await early.page.route('**/', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('"Market":', '"None":') });
    });
    await early.page.routeWebSocket('**/graphql', () => {});
    const { promise: comes, resolve: come } = Promise.withResolvers<void>();
    const { promise: asksAgain, resolve: askAgain } = Promise.withResolvers<void>();
    let reason = 'database_unavailable';
    let requests = 0;
    await early.page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('query Market')) requests += 1;
      if (requests > 1) askAgain();
      await comes;
      await route.fulfill(unavailable(reason));
    });
    await early.open('/');
    const heading = early.page.locator('.market h2');
    await heading.filter({ hasText: /^Prices\s*$/ }).waitFor();
    come();
    await asksAgain;
    expect(await heading.innerText()).toMatch(/^Prices\s*$/);
    reason = 'no_prices_yet';
    await heading.filter({ hasText: 'none yet' }).waitFor();
    await early.context.close();
  });

  test('/me shows that the hour cannot be loaded, and retries on request', async () => {
    const { key } = await register(field.service, 'own-hour');
    const mine = await visit(browser, field.service.url);
    const { page, context } = mine;
    await page.addInitScript(`sessionStorage.setItem('hourcast-key', ${JSON.stringify(key)})`);
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('query Now{') ? route.fulfill(BROKEN) : route.continue(),
    );
    // The page's own HTML would have the hour.
    await mine.open('/rounds');
    await page.getByRole('link', { name: 'My agent' }).click();
    await page.getByRole('alert').filter({ hasText: 'This could not be loaded.' }).waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Try again' }).click();
    await mine.heading().filter({ hasText: 'own-hour' }).waitFor();
    await context.close();
  });

  test('a page shows that a round waits for prices, and a day later that it is void', async () => {
    const { page } = visitor;
    await field.playWithoutPrices();
    await visitor.open('/rounds/1');
    await page.getByText('being decided').waitFor();
    expect(await visitor.faults()).toEqual([]);
    await visitor.picture('round-resolving');
    await field.sleep(25);
    await page.getByText('No outcome: no usable prices.').waitFor();
    await page.getByRole('cell', { name: 'scripted' }).first().waitFor();
    expect(await visitor.faultsInAllLooks()).toEqual(FAULTLESS);
    await visitor.picture('round-void');
  });

  test('every page shows that prices are not real', async () => {
    for (const [, path] of EMPTY_PAGES) {
      await visitor.open(path);
      await visitor.page.getByText('Prices are simulated, not real').waitFor();
    }
  });

  test('incomplete pages make requests only to the service, without other errors', () => {
    const { complaints, foreign } = visitor;
    expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] });
  });
});
