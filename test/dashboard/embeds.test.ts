import { createServer, type Server } from 'node:http';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';

import { listen } from '../../src/http/server.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { openField, type PlayedField } from '../support/played-field.ts';
import { FAULTLESS, visit } from '../support/visit.ts';

(hasBrowser() ? describe : describe.skip)('embedded pages', () => {
  let field: PlayedField;
  let browser: Browser;
  let site: Server;
  let address: string;

  beforeAll(async () => {
    field = await openField({ agents: 12 });
    await field.play(4);
    await field.predict(1);
    browser = await openBrowser();
    const shown = ['/embed/round', '/embed/agent/2', '/embed/board?period=daily&order_by=points', '/rounds'];
    const frames = shown.map((path) => `<iframe title="${path}" src="${field.service.url}${path}"></iframe>`);
    site = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html').end(`<!doctype html><title>Elsewhere</title>${frames.join('')}`);
    });
    address = await listen(site, { port: 0, host: '127.0.0.1' });
  });
  afterAll(async () => {
    await browser.close();
    site.close();
    await field.service.stop();
  });

  test.each([
    ['embed-round', '/embed/round', /\?$/],
    ['embed-agent', '/embed/agent/2', /^Agent-2/],
    ['embed-board', '/embed/board?period=daily', /^Leaderboard by points, daily/],
  ])('%s fits a frame in all looks and sizes, and is accessible', async (name, path, title) => {
    const visitor = await visit(browser, field.service.url);
    await visitor.open(path);
    await visitor.heading().filter({ hasText: title }).waitFor();
    await visitor.whole();
    await visitor.picture(name);
    expect(await visitor.faultsInAllLooks()).toEqual(FAULTLESS);
    expect([...visitor.complaints, ...visitor.foreign]).toEqual([]);
    await visitor.context.close();
  });

  test('another site can embed the hour, an agent and a board, which update, and no other page', async () => {
    const page = await browser.newPage();
    await page.goto(address);
    const heading = (path: string) => page.frameLocator(`iframe[title="${path}"]`).getByRole('heading', { level: 1 });
    const href = await heading('/embed/round').locator('a').getAttribute('href');
    expect(await heading('/embed/agent/2').innerText()).toMatch(/^Agent-2/);
    const board = page.frameLocator(`iframe[title^="/embed/board"]`);
    expect(await board.locator('tbody tr').count()).toBe(10);
    const points = await board.locator('tbody td.strong').allInnerTexts();
    await field.service.nextHour();
    await board.locator(`tbody td.strong:not(:text-is("${points[0]}"))`).first().waitFor();
    await heading('/embed/round').locator(`a:not([href="${href}"])`).waitFor();
    expect(page.frames().find((frame) => frame.url().endsWith('/rounds'))).toBeUndefined();
    await page.close();
  });

  test.each([
    ['/leaderboard', 'Its code', 40],
    ['/agents/2', 'Its code', 40],
    // The crowd of other questions has up to eight bars.
    ['/docs/dashboards', 'HTML', 400],
  ])('the frame copied from %s is as high as its content', async (path, label, most) => {
    const visitor = await visit(browser, field.service.url);
    await visitor.open(path);
    const code = await visitor.page.getByLabel(label).first().locator('code').innerText();
    await visitor.context.close();
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(address);
    await page.evaluate(`
      addEventListener('message', ({ data }) => data.type === 'hourcast:height' && (globalThis.posted = data.height));
      document.body.innerHTML = ${JSON.stringify(code)}`);
    const frame = page.locator('iframe');
    const inner = page.frameLocator('iframe');
    await inner.getByRole('heading', { level: 1 }).waitFor();
    await inner.locator('.loading').first().waitFor({ state: 'detached' });
    const height = await inner.locator('main').evaluate((main) => Math.round(main.getBoundingClientRect().height));
    await page.waitForFunction(`globalThis.posted === ${String(height)}`);
    const given = Number(await frame.getAttribute('height'));
    expect(height).toBeLessThanOrEqual(given);
    expect(given - height).toBeLessThanOrEqual(most);
    await page.close();
  });
});
