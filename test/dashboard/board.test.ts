import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { dataOf } from '../support/asking.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { openField, type PlayedField } from '../support/played-field.ts';

(hasBrowser() ? describe : describe.skip)('board in a browser', () => {
  let field: PlayedField;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    field = await openField({ agents: 8 });
    await field.play(12);
    await field.play(18);
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  });
  afterAll(async () => {
    await browser.close();
    await field.service.stop();
  });

  const choose = (name: string): Promise<void> => page.getByRole('radio', { name, exact: true }).check();
  const head = (name: string) => page.locator('.board thead th').nth(3).filter({ hasText: name });
  const firstPlace = () => page.locator('.board tbody tr').first();

  test.each(['/', '/leaderboard'])('%s has every order and window of the board, each with an address', async (path) => {
    await page.goto(`${field.service.url}${path}`);
    await head('Points').waitFor();
    for (const [tab, name, word] of [
      ['P&L', 'Sim P&L', 'pnl'],
      ['Skill', 'Skill', 'skill'],
      ['Edge', 'Edge', 'edge'],
    ] as const) {
      await choose(tab);
      await head(name).waitFor();
      expect(page.url()).toBe(`${field.service.url}${path}?period=weekly&order_by=${word}`);
    }
    await choose('All');
    await page.getByText('Listed from 20 rounds on').waitFor();
    await page.goto(page.url());
    await head('Edge').waitFor();
    expect(await page.getByRole('radio', { name: 'All', exact: true }).isChecked()).toBe(true);
  });

  test('rounds are listed by day with its board, and mark answers that another one outnumbered', async () => {
    const query = `{ rounds(first: 24, status: [resolved]) { nodes {
      id startTime outcome crowd { answers { answer n } } } } }`;
    const { nodes } = (await dataOf(field.service, query)).rounds;
    await page.goto(`${field.service.url}/rounds?status=resolved`);
    const days = page.locator('.of-day');
    await days.first().waitFor();
    const dates = [...new Set<string>(nodes.map(({ startTime }: { startTime: string }) => startTime.slice(0, 10)))];
    expect(dates.length).toBeGreaterThan(1);
    expect(await days.count()).toBe(dates.length);
    const today = field.service.clock.now().toISOString().slice(0, 10);
    const boards = await days.locator('h2 a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    expect(boards).toEqual(dates.filter((date) => date < today).map((date) => `/leaderboard/${date}`));
    for (const { id, outcome, crowd } of nodes) {
      const counts: readonly { answer: string; n: number }[] = crowd?.answers ?? [];
      const right = counts.find(({ answer }) => answer === outcome)?.n ?? 0;
      const isUpset = Math.max(0, ...counts.map(({ n }) => n)) > right;
      expect([id, await page.locator(`a[href="/rounds/${id}"] small`, { hasText: 'upset' }).count()]).toEqual([
        id,
        isUpset ? 1 : 0,
      ]);
    }
    await page.getByRole('link', { name: 'Board of the day' }).first().click();
    await page.getByRole('heading', { level: 1, name: /^\w+day, / }).waitFor();
  });

  test('the board has intervals, ties and trends', async () => {
    await page.goto(`${field.service.url}/leaderboard?order_by=edge&period=alltime`);
    expect(await firstPlace().locator('.rank small').innerText()).toMatch(/^1–\d+$/);
    expect(await firstPlace().locator('td.strong small').innerText()).toMatch(/^[+−]?\d\.\d{3} to [+−]?\d\.\d{3}$/);
    expect(await page.locator('abbr[title^="May as well"]').count()).toBeGreaterThan(0);
    await page.getByText('Grey: 95 % interval. ≈: not clearly behind the agent above.').waitFor();
    expect(await firstPlace().getByRole('img').getAttribute('aria-label')).toMatch(/^[+−]?\d+ points$/);
    await page.goto(`${field.service.url}/leaderboard?period=alltime`);
    expect(await page.locator('.moved').first().innerText()).toMatch(/[▲▼]/);
  });

  test('rank intervals stay after a resolution, marked until the new ones are there', async () => {
    await page.goto(`${field.service.url}/leaderboard?period=alltime`);
    await page.locator('.link').filter({ hasText: 'Live' }).waitFor();
    // Notes every table that was without intervals, however short.
    await page.evaluate(`new MutationObserver(() => {
      globalThis.bare ??= 0;
      if (document.querySelector('.board tbody tr') && !document.querySelector('.board .rank small')) globalThis.bare += 1;
    }).observe(document.body, { subtree: true, childList: true, characterData: true })`);
    const before = await page.locator('.facts').innerText();
    await field.predict(1);
    await field.service.passHour();
    await page
      .locator('.facts')
      .filter({ hasNotText: before.split('as of')[1] ?? '' })
      .waitFor();
    await page.locator('.rank small').filter({ hasText: '*' }).first().waitFor();
    await field.service.nextHour();
    await page
      .locator('.rank small')
      .filter({ hasText: /^\d+–\d+$/ })
      .first()
      .waitFor();
    expect(await page.evaluate('globalThis.bare')).toBe(0);
  });

  test('a phone shows the table first, with whole columns and separate switches', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${field.service.url}/leaderboard?period=alltime`);
    await firstPlace().waitFor();
    const boxes = await page
      .locator('.switches .tabs')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    for (const [index, box] of boxes.entries())
      if (index > 0) expect(box.top - boxes[index - 1].bottom).toBeGreaterThanOrEqual(8);
    const table = await page.locator('.board').boundingBox();
    expect(table?.y).toBeLessThan(500);
    const scroll = await page
      .locator('.scroll')
      .first()
      .evaluate((one) => one.scrollWidth - one.clientWidth);
    expect(scroll).toBe(0);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('a board in another order is requested again once a round is decided', async () => {
    await page.goto(`${field.service.url}/?order_by=pnl&period=alltime`);
    await page.locator('.link').filter({ hasText: 'Live' }).waitFor();
    const row = page.locator('.board tbody tr').filter({ hasText: await firstPlace().locator('a').innerText() });
    const rounds = Number((await row.locator('td').nth(4).locator('small').innerText()).replace('of ', ''));
    await field.predict(1);
    await field.service.nextHour();
    await row
      .locator('small')
      .filter({ hasText: `of ${rounds + 1}` })
      .waitFor();
  });
});
