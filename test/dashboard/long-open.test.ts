import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, CDPSession, Page } from 'playwright-core';

import { hasBrowser, openBrowser } from '../support/browser.ts';
import { openField, type PlayedField } from '../support/played-field.ts';
import { held } from '../support/held.ts';
import { visit } from '../support/visit.ts';

const WARM_HOURS = 3;
const HOURS = 24;
const MB = 1024 * 1024;
/** What a day may leave behind in a tab. */
const MOST = { bytes: 10 * MB, nodes: 500, listeners: 50 };

(hasBrowser() ? describe : describe.skip)('open tab', () => {
  let field: PlayedField;
  let browser: Browser;
  let page: Page;
  let inspector: CDPSession;
  let sockets = 0;

  beforeAll(async () => {
    field = await openField({ agents: 30, intervals: { marketMs: 500 } });
    browser = await openBrowser();
    ({ page } = await visit(browser, field.service.url));
    page.on('websocket', () => (sockets += 1));
    inspector = await page.context().newCDPSession(page);
    await inspector.send('Performance.enable');
    await page.goto(field.service.url);
    await page.locator('.link').filter({ hasText: 'Live' }).waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await field.service.stop();
  });

  const hoursPass = async (hours: number): Promise<void> => {
    for (let hour = 0; hour < hours; hour += 1) {
      const round = await page.locator('.eyebrow a').innerText();
      await field.predict();
      await page.locator('.latest li').nth(11).waitFor();
      await field.service.nextHour();
      await page.locator('.eyebrow a').filter({ hasNotText: round }).waitFor();
      await page.locator(`.over a[href="/rounds/${round.replace('Round ', '')}"] .outcome`).waitFor();
    }
  };

  test('a tab open for a day uses no more memory, over one WebSocket', async () => {
    await hoursPass(WARM_HOURS);
    const before = await held(inspector);
    await hoursPass(HOURS);
    const after = await held(inspector);
    expect(after.bytes - before.bytes).toBeLessThan(MOST.bytes);
    expect(after.nodes - before.nodes).toBeLessThan(MOST.nodes);
    expect(after.listeners - before.listeners).toBeLessThan(MOST.listeners);
    expect(sockets).toBe(1);
  });
});
