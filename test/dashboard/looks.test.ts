import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { register } from '../support/agents.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { openField, type PlayedField } from '../support/played-field.ts';

const LONG_NAME = 'momentum-trader-with-news-and-order-books-v1-final';
const WIDE = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

(hasBrowser() ? describe : describe.skip)('looks', () => {
  let field: PlayedField;
  let browser: Browser;

  beforeAll(async () => {
    field = await openField({ agents: 5 });
    const agent = await register(field.service, LONG_NAME);
    const { round } = (await field.service.request('GET', '/api/rounds/current')).body;
    const body = { round_id: round.id, prediction: round.choices[0], confidence: 60 };
    await field.service.request('POST', '/api/predictions', { key: agent.key, body });
    await field.play(3);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await field.service.stop();
  });

  async function opened(path: string, viewport: typeof WIDE, javaScriptEnabled = true): Promise<Page> {
    const context = await browser.newContext({ viewport, javaScriptEnabled, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto(field.service.url + path);
    return page;
  }

  test.each([WIDE, PHONE])(
    'without JavaScript no hole is below the question, and no control is dead, at $width px',
    async (size) => {
      const page = await opened('/', size, false);
      const question = await page.locator('h1').first().boundingBox();
      const next = await page.locator('noscript .panel, noscript .so-far').first().boundingBox();
      expect((next?.y ?? 0) - (question?.y ?? 0) - (question?.height ?? 0)).toBeLessThan(250);
      const chart = await page.locator('.diagrams').first().boundingBox();
      expect(chart?.height).toBeLessThan(200);
      expect(await page.locator('main button:visible, .tabs:visible').count()).toBe(0);
      await page.context().close();
      const board = await opened('/leaderboard', size, false);
      expect(await board.locator('button:visible, .tabs:visible').count()).toBe(0);
      await board.context().close();
    },
  );

  test.each(['/leaderboard', '/', '/embed/board'])(
    'a name on the board of %s has one line on a phone',
    async (path) => {
      const page = await opened(path, PHONE);
      const names = page.locator('.board th[scope="row"] a');
      await names.filter({ hasText: LONG_NAME }).waitFor();
      const boxes = await names.evaluateAll((links) => links.map((link) => link.getBoundingClientRect().height));
      expect(boxes.length).toBeGreaterThan(3);
      expect(new Set(boxes).size).toBe(1);
      const wider = await page
        .locator('.board')
        .first()
        .evaluate((table) => table.getBoundingClientRect().width - (table.parentElement?.clientWidth ?? 0));
      expect(wider).toBeLessThanOrEqual(0);
      await page.context().close();
    },
  );

  test.each([WIDE, { width: 820, height: 900 }, PHONE])(
    'the header of /docs is that of the pages at $width px',
    async (size) => {
      const places = async (path: string) => {
        const page = await opened(path, size);
        const found = await page
          .locator('.brand, .top nav a, .mine, .top .button')
          .evaluateAll((links) => links.map((link) => Math.round(link.getBoundingClientRect().right)));
        await page.context().close();
        return { mine: found.at(-2), join: found.at(-1) };
      };
      expect(await places('/docs')).toEqual(await places('/about'));
    },
  );

  test('an empty list is drawn', async () => {
    const page = await opened('/rounds?status=void', PHONE);
    const empty = page.locator('.empty').first();
    await empty.waitFor();
    expect(await empty.evaluate((one) => getComputedStyle(one, '::before').borderTopWidth)).toBe('4px');
    await page.context().close();
  });
});
