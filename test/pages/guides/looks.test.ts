import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';

import { GUIDES } from '../../../src/pages/guides/guides.ts';
import { hasBrowser, openBrowser } from '../../support/browser.ts';
import { startService, type TestService } from '../../support/service.ts';
import { FAULTLESS, visit, type Visit } from '../../support/visit.ts';

(hasBrowser() ? describe : describe.skip)('documents in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let visitor: Visit;

  beforeAll(async () => {
    service = await startService();
    browser = await openBrowser();
    visitor = await visit(browser, service.url);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  test.each(['/docs', ...GUIDES.map(({ name }) => `/docs/${name}`)])(
    '%s has no fault by day and night, on desktop and phone',
    async (path) => {
      await visitor.open(path);
      await visitor.heading().waitFor();
      expect(await visitor.faultsInAllLooks()).toEqual(FAULTLESS);
      await visitor.picture(path.replaceAll('/', '-').slice(1));
    },
  );

  test('a tried operation has no fault either', async () => {
    await visitor.open('/docs');
    const market = visitor.page.locator('section[data-path="/api/data/market"]');
    await market.getByRole('button', { name: 'Try it' }).click();
    await market.getByRole('button', { name: 'Send' }).click();
    await market.getByRole('status').getByText('"price_usd"').first().waitFor();
    expect(await visitor.faultsInAllLooks()).toEqual(FAULTLESS);
  });

  test('a guide is usable by keyboard alone', async () => {
    await visitor.open('/docs/clients');
    expect(await visitor.unreached()).toEqual([]);
  });
});
