import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';

import { type Player, predict, register } from '../support/agents.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { startService, type TestService } from '../support/service.ts';
import { visit, type Visit } from '../support/visit.ts';

/** Names of 50 letters: one of the widest letter, and one as programs are often called. */
const NAMES = ['W'.repeat(50), 'momentum_trader_gpt4o_with_news_and_order_books_v12'.slice(0, 50)];

const MODEL = 'M'.repeat(80);

const PATHS = [
  '/',
  '/rounds',
  '/rounds/1',
  '/rounds/2',
  '/agents/1?against=2',
  '/agents/2',
  '/leaderboard?period=alltime',
  '/leaderboard?period=alltime&order_by=pnl',
  '/leaderboard/2026-01-01',
  '/archive',
  '/models',
  '/questions',
  '/about',
  '/embed/round',
  '/embed/agent/1',
  '/embed/agent/2',
];

const WIDTHS = [320, 390, 1440];

(hasBrowser() ? describe : describe.skip)('longest names', () => {
  let service: TestService;
  let browser: Browser;
  let visitor: Visit;

  beforeAll(async () => {
    service = await startService({ start: '2026-01-01T22:10:00Z' });
    const players: Player[] = [];
    for (const name of NAMES) players.push(await register(service, name));
    for (let hour = 0; hour < 3; hour += 1) {
      for (const player of players) await predict(service, player, { confidence: 90, model: MODEL });
      if (hour < 2) await service.nextHour();
    }
    browser = await openBrowser();
    visitor = await visit(browser, service.url);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  /** By how many pixels the open page is wider than windows of each width. */
  async function tooWide(): Promise<Record<string, number>> {
    const found: Record<string, number> = {};
    for (const width of WIDTHS) found[width] = await visitor.tooWide(width);
    return found;
  }

  const FITS = Object.fromEntries(WIDTHS.map((width) => [width, 0]));

  test.each(PATHS)('the longest names fit on %s', async (path) => {
    await visitor.open(path);
    await visitor.heading().waitFor();
    await visitor.whole();
    expect(await tooWide()).toEqual(FITS);
  });

  test('the longest names fit on /join: refused, registered and with a stored answer', async () => {
    const { page } = visitor;
    await visitor.open('/join');
    const enter = async (name: string): Promise<void> => {
      await page.locator('input[name=name]').fill(name);
      await page.getByRole('button', { name: 'Register' }).click();
    };
    await enter(NAMES[0] ?? '');
    await page.locator('.problem').waitFor();
    expect(await tooWide()).toEqual(FITS);
    await enter('M'.repeat(50));
    await visitor.heading().filter({ hasText: 'Welcome' }).waitFor();
    expect(await tooWide()).toEqual(FITS);
    await page.locator('.picks label').first().click();
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('heading', { name: 'Answer stored' }).waitFor();
    expect(await tooWide()).toEqual(FITS);
  });
});
