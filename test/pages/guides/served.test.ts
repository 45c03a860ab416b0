import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { GUIDES } from '../../../src/pages/guides/guides.ts';
import { hasBrowser, openBrowser } from '../../support/browser.ts';
import { reference } from '../../support/reference.ts';
import { startService, type TestService } from '../../support/service.ts';
import { visit, type Visit } from '../../support/visit.ts';

/** What axe finds wrong with the viewer's own elements, whatever they look like. */
const OF_THE_VIEWER =
  /^(heading-order|landmark-unique|nested-interactive|region|scrollable-region-focusable|select-name): /;

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

test.each([
  ['/openapi.json', 'application/json; charset=utf-8'],
  ['/llms.txt', 'text/plain; charset=utf-8'],
  ['/llms-full.txt', 'text/plain; charset=utf-8'],
  ['/docs', 'text/html; charset=utf-8'],
  ['/docs/agents', 'text/html; charset=utf-8'],
  ['/docs/agents.md', 'text/markdown; charset=utf-8'],
  ['/docs/files/viewer.js', 'text/javascript; charset=utf-8'],
  ['/api', 'application/json; charset=utf-8'],
])('%s is served, with an ETag, and refuses POST', async (path, type) => {
  const { status, headers } = await service.request('GET', path);
  expect([status, headers.get('content-type')]).toEqual([200, type]);
  const tag = headers.get('etag') ?? '';
  expect(
    (await service.request('GET', path, { headers: { 'if-none-match': tag, 'cache-control': 'max-age=0' } })).status,
  ).toBe(304);
  expect((await service.request('POST', path)).status).toBe(405);
});

test('the reference is the one that answers are held to', async () => {
  const { body } = await service.request('GET', '/openapi.json');
  expect(body).toEqual(JSON.parse(JSON.stringify(reference().document)));
});

test('/api leads to what there is', async () => {
  const { body } = await service.request('GET', '/api');
  expect(Object.keys(body)).toEqual(['openapi', 'docs', 'llms', 'graphql', 'mcp', 'events']);
  for (const path of [body.openapi, body.docs, body.llms])
    expect((await service.request('GET', path)).status).toBe(200);
  // What takes a document, or never ends, is there all the same.
  for (const path of [body.graphql, body.mcp]) expect((await service.request('GET', path)).status).not.toBe(404);
  expect((await service.request('HEAD', body.events)).status).toBe(200);
});

test('a page that there is not is 404', async () => {
  for (const path of ['/docs/decisions', '/docs/files/index.html', '/docs/../package.json', '/docs/nothing.md'])
    expect((await service.request('GET', path)).status).toBe(404);
});

(hasBrowser() ? describe : describe.skip)('in a browser', () => {
  let browser: Browser;
  let visitor: Visit;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
    visitor = await visit(browser, service.url);
    ({ page } = visitor);
  });
  afterAll(() => browser.close());

  test('the viewer shows every operation, and sends one', async () => {
    await visitor.open('/docs');
    const operations = page.locator('.opblock');
    await operations.first().waitFor();
    const { paths, webhooks } = reference().document;
    const listed = [...Object.values(paths), ...Object.values(webhooks)].flatMap((item) => Object.keys(item));
    expect(await operations.count()).toBe(listed.length);
    const health = page.locator('#operations-Service-getHealth');
    await health.getByRole('button').first().click();
    await health.getByRole('button', { name: 'Try it out' }).click();
    await health.getByRole('button', { name: 'Execute' }).click();
    await health
      .locator('.live-responses-table')
      .getByText('"marketSource"')
      .or(health.getByText('market_source').last())
      .waitFor();
  });

  test.each(['light', 'dark'] as const)(
    'the viewer can be read, with an exchange and an example, %s',
    async (scheme) => {
      await page.emulateMedia({ colorScheme: scheme });
      await visitor.open('/docs');
      const health = page.locator('#operations-Service-getHealth');
      const predicting = page.locator('.opblock-post[id$="-submitPrediction"]');
      for (const operation of [health, predicting]) await operation.getByRole('button').first().click();
      await health.getByRole('button', { name: 'Try it out' }).click();
      await health.getByRole('button', { name: 'Execute' }).click();
      await health.locator('.live-responses-table').waitFor();
      await predicting.locator('.highlight-code').first().waitFor();
      expect((await visitor.faults()).filter((fault) => !OF_THE_VIEWER.test(fault))).toEqual([]);
    },
  );

  test('a key that was typed in is forgotten with the page', async () => {
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.locator('.auth-container input').fill('pk_live_typed');
    await page.locator('.auth-container').getByRole('button', { name: 'Apply credentials' }).click();
    expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).toBe('{}');
  });

  test.each(GUIDES.map(({ name }) => name))('the guide %s reads in the dark too', async (name) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await visitor.open(`/docs/${name}`);
    await page.locator('h1').waitFor();
    const colours = await page.evaluate(
      '[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]',
    );
    expect(colours).toEqual(['rgb(230, 232, 234)', 'rgb(21, 24, 27)']);
    await page.setViewportSize({ width: 412, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(412);
  });

  test('nothing is asked of anybody else, and nothing is complained of', () => {
    const { foreign, complaints } = visitor;
    expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
  });
});
