import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { register } from '../support/agents.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { openField, type PlayedField } from '../support/played-field.ts';
import { until } from '../support/poll.ts';
import { visit, type Visit } from '../support/visit.ts';

(hasBrowser() ? describe : describe.skip)('keyboard focus', () => {
  let field: PlayedField;
  let browser: Browser;
  let visitor: Visit;
  let page: Page;

  beforeAll(async () => {
    field = await openField({ agents: 4 });
    await field.play(2);
    await field.predict(1);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await field.service.stop();
  });
  beforeEach(async () => {
    visitor = await visit(browser, field.service.url);
    ({ page } = visitor);
  });
  afterEach(() => visitor.context.close());

  /** Waits until the heading with this text has the focus. */
  const atHeading = (text: string): Promise<void> => page.locator('h1:focus', { hasText: text }).waitFor();
  const titled = (end: string): Promise<true> =>
    until(`the title … ${end}`, async () => (await page.title()).endsWith(end));

  const opened = async (path: string): Promise<void> => {
    await visitor.open(path);
    await page.locator('.link.live').waitFor();
    await visitor.whole();
  };

  test('each change of page is announced, and continues at its heading', async () => {
    await opened('/');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY');
    const announced = page.locator('#page > [role=status]');
    expect(await announced.innerText()).toBe('');
    await page.getByRole('link', { name: 'Rounds', exact: true }).click();
    await atHeading('Rounds');
    expect(await announced.innerText()).toBe('Rounds · Hourcast');
    // This page's heading comes with its data.
    await page.locator('.round-list a[href="/rounds/2"]').click();
    await atHeading('?');
    expect(await announced.innerText()).toBe('Round · Hourcast');
    await titled('· Round 2');
    await page.getByRole('link', { name: '← Round 1' }).click();
    await titled('· Round 1');
    await atHeading('?');
    await page.goBack();
    await titled('· Round 2');
    await page.goBack();
    await atHeading('Rounds');
    expect(await page.title()).toBe('Rounds · Hourcast');
  });

  test('a link to a part of another page leads to that part', async () => {
    await opened('/leaderboard');
    await page.getByRole('link', { name: 'How points come about' }).click();
    await page.locator('#points:focus').waitFor();
    expect(new URL(page.url()).hash).toBe('#points');
    const { y = Number.NaN } = (await page.locator('#points').boundingBox()) ?? {};
    expect(y).toBeLessThan(page.viewportSize()?.height ?? 0);
  });

  test('the way back to where the header was skipped leads to the content', async () => {
    await opened('/');
    await page.locator('.skip').press('Enter');
    await page.locator('#main:focus').waitFor();
    expect(await page.locator('#page > [role=status]').innerText()).toBe('');
    await page.getByRole('link', { name: 'Rounds', exact: true }).click();
    await atHeading('Rounds');
    await page.goBack();
    await page.locator('#main:focus').waitFor();
  });

  test('the way back names an unknown address in the title', async () => {
    await opened('/nothing');
    await page.getByRole('link', { name: 'Rounds', exact: true }).click();
    await titled('Rounds · Hourcast');
    await page.goBack();
    await titled('No such page · Hourcast');
  });

  test.each(['/', '/leaderboard'])('a choice within the board of %s keeps the focus', async (path) => {
    await opened(path);
    // The first choice writes the order into the address.
    await page.getByRole('radio', { name: 'Edge', exact: true }).check();
    await page.waitForURL(/order_by=edge/);
    await page.getByRole('radio', { name: 'All', exact: true }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(/period=monthly/);
    await page.getByRole('table', { name: 'Agents by Edge, monthly' }).or(page.getByText('Nobody has')).waitFor();
    expect(await page.evaluate('document.activeElement.labels?.[0].textContent')).toBe('Month');
  });

  test('a dismissed introduction leads to the heading', async () => {
    await opened('/');
    await page.getByRole('button', { name: 'Got it' }).press('Enter');
    await atHeading('?');
  });

  test('each form leads to the heading, and a refused one keeps its button', async () => {
    await opened('/join');
    const name = page.getByLabel('The agent’s name');
    await register(field.service, 'taken-name');
    await name.fill('taken-name');
    await page.getByRole('button', { name: 'Register' }).press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Register');
    await name.fill('by-keyboard');
    await page.getByRole('button', { name: 'Register' }).press('Enter');
    await atHeading('Welcome, by-keyboard');
    await page.getByRole('button', { name: 'I have saved it' }).press('Enter');
    await atHeading('Welcome, by-keyboard');
    expect(await page.getByText(/pk_live_/).count()).toBe(0);
    await page.locator('.picks input').first().check();
    await page.getByRole('button', { name: 'Submit' }).press('Enter');
    await atHeading('Welcome, by-keyboard');
    await page.getByRole('heading', { name: 'Answer stored' }).waitFor();
    await page.getByRole('link', { name: 'My agent' }).last().click();
    await atHeading('by-keyboard');
    await field.service.nextHour();
    await page.getByRole('button', { name: 'Got it' }).press('Enter');
    await atHeading('by-keyboard');
    await page.locator('.picks input').first().check();
    await page.getByRole('button', { name: 'Submit' }).press('Enter');
    await page.getByRole('heading', { name: 'Answer stored' }).waitFor();
    await atHeading('by-keyboard');
    await page.getByRole('button', { name: 'Sign out' }).press('Enter');
    await atHeading('My agent');
  });

  test('answers of the crowd are named with share and count', async () => {
    await opened('/');
    const bars = await page
      .locator('.crowd-bar')
      .evaluateAll((all) =>
        all.map((one) => [...one.querySelectorAll('.answer, .share, .n')].map(({ textContent }) => textContent.trim())),
      );
    for (const [answer, share, n] of bars)
      expect(
        await page
          .getByRole('radio', { name: `${answer}: ${share}, ${n} answer${n === '1' ? '' : 's'}`, exact: true })
          .count(),
      ).toBe(1);
    expect(bars.length).toBeGreaterThan(1);
  });

  test('a page without scripts has no holes and no dead controls', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1440, height: 900 } });
    const plain = await context.newPage();
    await plain.goto(field.service.url);
    const { y = 0, height = 0 } = (await plain.locator('#question').boundingBox()) ?? {};
    const next = (await plain.locator('.so-far').boundingBox())?.y ?? Infinity;
    expect(next - (y + height)).toBeLessThan(120);
    for (const path of ['/', '/join', '/me', '/rounds', '/leaderboard']) {
      await plain.goto(field.service.url + path);
      expect(await plain.locator('button:visible, form:visible, .tabs:visible').count()).toBe(0);
    }
    await context.close();
  });
});
