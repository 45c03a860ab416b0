import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { hasBrowser, openBrowser } from '../support/browser.ts';
import { openField, type PlayedField } from '../support/played-field.ts';
import { visit } from '../support/visit.ts';

const HOURS = 30;
/** The rounds of a page. */
const PAGE = 24;

/** Ids, the newest first. */
const upTo = (newest: number): readonly number[] => Array.from({ length: newest }, (_, index) => newest - index);

(hasBrowser() ? describe : describe.skip)('list of rounds with earlier ones', () => {
  let field: PlayedField;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    field = await openField({ agents: 1 });
    await field.play(HOURS);
    browser = await openBrowser();
    ({ page } = await visit(browser, field.service.url));
    await page.goto(`${field.service.url}/rounds`);
    await page.locator('.link.live').waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await field.service.stop();
  });

  /** The ids of the rounds listed. */
  const listed = async (): Promise<readonly number[]> => {
    const links = await page.locator('.round-list a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    return links.map((link) => Number(link?.replace('/rounds/', '')));
  };
  const shown = (round: number, state: string): Promise<void> =>
    page.locator(`.round-list a[href="/rounds/${round}"]`).filter({ hasText: state }).waitFor();

  test('each hour adds a round, and none is missing or listed twice', async () => {
    // The running round and the next one are listed too.
    const newest = HOURS + 2;
    expect(await listed()).toEqual(upTo(newest).slice(0, PAGE));
    await page.getByRole('button', { name: 'Earlier rounds' }).click();
    await page.locator('.round-list a[href="/rounds/1"]').waitFor();
    expect(await listed()).toEqual(upTo(newest));
    for (let hour = 1; hour <= 3; hour += 1) {
      await field.service.nextHour();
      await shown(newest + hour, 'upcoming');
      await shown(newest + hour - 1, 'active');
      expect(await listed()).toEqual(upTo(newest + hour));
    }
  });

  test('earlier rounds that newer ones no longer reach are loaded again', async () => {
    const newest = HOURS + 5;
    await page.context().setOffline(true);
    for (let hour = 1; hour <= PAGE + 1; hour += 1) await field.service.passHour();
    await page.context().setOffline(false);
    await shown(newest + PAGE + 1, 'upcoming');
    expect(await listed()).toEqual(upTo(newest + PAGE + 1).slice(0, PAGE));
    await page.getByRole('button', { name: 'Earlier rounds' }).click();
    await shown(newest, '');
    expect(await listed()).toEqual(upTo(newest + PAGE + 1).slice(0, 2 * PAGE));
  });
});
