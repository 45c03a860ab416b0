import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { hasBrowser, openBrowser } from '../support/browser.ts';
import { openField, type PlayedField } from '../support/played-field.ts';

(hasBrowser() ? describe : describe.skip)('the board in a browser', () => {
  let field: PlayedField;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    field = await openField({ agents: 8 });
    await field.play(30);
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  });
  afterAll(async () => {
    await browser.close();
    await field.service.stop();
  });

  const choose = (name: string): Promise<void> => page.getByRole('radio', { name, exact: true }).check();
  const head = (name: string) => page.locator('.board thead th').nth(2).filter({ hasText: name });
  const firstPlace = () => page.locator('.board tbody tr').first();

  test.each(['/', '/leaderboard'])('%s is switched to every order and window, each with an address', async (path) => {
    await page.goto(`${field.service.url}${path}`);
    await head('Points').waitFor();
    for (const [tab, name, word] of [
      ['P&L', 'Sim P&L', 'pnl'],
      ['Skill', 'Skill', 'skill'],
      ['Edge', 'Edge', 'edge'],
    ] as const) {
      await choose(tab);
      await head(name).waitFor();
      expect(page.url()).toBe(`${field.service.url}${path}?period=weekly&by=${word}`);
    }
    await choose('All');
    await page.getByText('Listed from 20 rounds on').waitFor();
    await page.goto(page.url());
    await head('Edge').waitFor();
    expect(await page.getByRole('radio', { name: 'All', exact: true }).isChecked()).toBe(true);
  });

  test('says how sure ranks and figures are, and which chance could turn', async () => {
    await page.goto(`${field.service.url}/leaderboard?by=edge&period=alltime`);
    expect(await firstPlace().locator('.rank small').innerText()).toMatch(/^1–\d+$/);
    expect(await firstPlace().locator('td.strong small').innerText()).toMatch(/^[+−]?\d\.\d{3} to [+−]?\d\.\d{3}$/);
    expect(await page.locator('abbr[title^="May as well"]').count()).toBeGreaterThan(0);
  });

  test('a board in another order than by points is asked for again once a round is decided', async () => {
    await page.goto(`${field.service.url}/?by=pnl&period=alltime`);
    await page.locator('.link').filter({ hasText: 'Live' }).waitFor();
    const row = page.locator('.board tbody tr').filter({ hasText: await firstPlace().locator('a').innerText() });
    const rounds = Number((await row.locator('td').nth(2).locator('small').innerText()).replace('of ', ''));
    await field.predict(1);
    await field.service.nextHour();
    await row
      .locator('small')
      .filter({ hasText: `of ${rounds + 1}` })
      .waitFor();
  });
});
