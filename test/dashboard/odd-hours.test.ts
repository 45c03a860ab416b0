import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';

import { HOUR } from '../../src/rules/hours.ts';
import { act, TOKEN } from '../operating/admin.ts';
import { type Player, predict, register } from '../support/agents.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { openField, type PlayedField } from '../support/played-field.ts';
import { currentRound } from '../support/rounds.ts';
import { visit, type Visit } from '../support/visit.ts';

/** The pages of the running hour, with what the visitor is asked there. */
const PLAYING = [
  ['/', '#question'],
  ['/embed/round', '.asking h1'],
  ['/me', '.answer-form .asked'],
] as const;

const question = (page: Page, shown: string): Locator => page.locator(shown).filter({ hasText: /\?$/ });

(hasBrowser() ? describe : describe.skip)('pages of an odd hour', () => {
  let field: PlayedField;
  let browser: Browser;
  let player: Player;

  beforeAll(async () => {
    field = await openField({ agents: 0, adminToken: TOKEN, intervals: { marketMs: 200 } });
    player = await register(field.service, 'by-hand');
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await field.service.stop();
  });

  /** Signed in. */
  const visitorOf = async (): Promise<Visit> => {
    const visitor = await visit(browser, field.service.url);
    await visitor.page.addInitScript(`sessionStorage.setItem('hourcast-key', ${JSON.stringify(player.key)})`);
    return visitor;
  };
  const visitorAt = async (path: string): Promise<Visit> => {
    const visitor = await visitorOf();
    await visitor.open(path);
    return visitor;
  };

  test.each(PLAYING)('%s asks the question before the first prices', async (path, shown) => {
    const { market } = field.service;
    const present = { ...market };
    Object.assign(market, { quotes: () => null });
    try {
      const visitor = await visitorAt(path);
      await question(visitor.page, shown).waitFor();
      await visitor.whole();
      expect(await visitor.faults()).toEqual([]);
      if (path === '/') {
        await visitor.page.locator('.market h2', { hasText: 'none yet' }).waitFor();
        await visitor.picture('now-without-prices');
        Object.assign(market, present);
        await visitor.page.locator('.market tbody tr').first().waitFor();
      }
      await visitor.context.close();
    } finally {
      Object.assign(market, present);
    }
  });

  test.each(PLAYING)('%s does not ask again for prices that came with it', async (path, shown) => {
    const visitor = await visitorOf();
    const requests: string[] = [];
    visitor.page.on('request', (request) => requests.push(request.postData() ?? ''));
    await visitor.open(path);
    await question(visitor.page, shown).waitFor();
    await visitor.page.locator('.hour-line').first().waitFor({ state: 'attached' });
    expect(requests.filter((text) => text.includes('query Market'))).toEqual([]);
    await visitor.context.close();
  });

  describe('void', () => {
    let visits: readonly Visit[];
    beforeAll(async () => {
      visits = await Promise.all(PLAYING.map(([path]) => visitorAt(path)));
      await predict(field.service, player);
      // All follow the hour.
      for (const { page } of visits) await page.locator('.latest li').waitFor();
      await act(field.service, 'void', (await currentRound(field.service)).id);
    });
    afterAll(() => Promise.all(visits.map(({ context }) => context.close())));

    test('the hour and its frame show that it is void, without a countdown, and /me shows none', async () => {
      const [hour, frame, own] = visits;
      for (const visitor of [hour, frame]) {
        await visitor?.page
          .locator('.countdown')
          .filter({ hasText: /^void$/ })
          .waitFor();
        expect(await visitor?.page.title()).not.toMatch(/\d\d:\d\d/);
        expect(await visitor?.faults()).toEqual([]);
      }
      await hour?.picture('now-void');
      await own?.page.getByText('No hour is being played. The next one begins on the full hour.').waitFor();
      await own?.page.getByText('The round is void: nobody’s totals move.').waitFor();
      await own?.page.getByRole('region', { name: 'The hour so far' }).waitFor({ state: 'detached' });
    });

    test('all ask in the next hour', async () => {
      await field.service.nextHour();
      for (const [index, { page }] of visits.entries()) {
        await page.locator('.countdown .digits').waitFor();
        await question(page, PLAYING[index]?.[1] ?? '').waitFor();
      }
    });

    test('pages that missed the end of the hour show none once they are connected again', async () => {
      for (const { context } of visits) await context.setOffline(true);
      await act(field.service, 'void', (await currentRound(field.service)).id);
      for (const { context } of visits) await context.setOffline(false);
      for (const { page } of visits) await page.getByText('No hour is being played.').waitFor();
    });

    test('a void hour after a void one shows that none is played, and announces the one after it', async () => {
      await field.service.nextHour();
      const visitor = await visitorOf();
      const { page, context } = visitor;
      await page.clock.install();
      await visitor.open('/');
      await page.locator('.link.live').waitFor();
      const { id } = await currentRound(field.service);
      for (const one of [id + 1, id]) await act(field.service, 'void', one);
      await page
        .locator('.countdown')
        .filter({ hasText: /^void$/ })
        .waitFor();
      await page.locator('.coming').waitFor();
      await field.service.nextHour();
      await page.clock.fastForward('50:00');
      await page.getByRole('heading', { name: 'No hour is being played.' }).waitFor();
      const next = new Date(field.service.clock.now().getTime() + HOUR).toISOString().slice(11, 14);
      await page.locator('.coming', { hasText: `at ${next}00 UTC` }).waitFor();
      await context.close();
    });
  });
});
