import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';

import { hasBrowser, openBrowser } from '../support/browser.ts';
import { AGENTS, largeRound, ROUND, WHY } from '../support/large-round.ts';
import { FAULTLESS, visit, type Visit } from '../support/visit.ts';

const large = largeRound();

(hasBrowser() ? describe : describe.skip)('page of a round with 250 predictions', () => {
  let browser: Browser;
  let visitor: Visit;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
    visitor = await visit(browser, large.service.url);
    ({ page } = visitor);
    await visitor.open(`/rounds/${ROUND}`);
    await visitor.whole();
  });
  afterAll(() => browser.close());

  const rows = (): Locator => page.locator('section', { has: page.locator('#predictions') }).locator('tbody tr');

  test('the crowd is the mean of all 250 predictions', async () => {
    const [{ choices, outcome } = { choices: [], outcome: null }] = large.facts;
    const probabilities = large.facts.map(({ prediction, confidence }) =>
      prediction === outcome ? confidence / 100 : (1 - confidence / 100) / (choices.length - 1),
    );
    const mean = probabilities.reduce((sum, one) => sum + one, 0) / AGENTS;
    const chart = page.getByRole('img', { name: `Probability of ${outcome} through the hour` });
    await page.getByRole('img', { name: `Crowd ${(mean * 100).toFixed(0)} %` }).waitFor();
    expect(await chart.getAttribute('aria-label')).toContain(`; ${AGENTS} entries.`);
  });

  test('the list continues by place at its first new row, and shows and retries a failure', async () => {
    await page.route('**/graphql', (route) =>
      route.fulfill({ json: { errors: [{ message: 'The service is busy.', extensions: { code: 'UNAVAILABLE' } }] } }),
    );
    await page.getByRole('button', { name: 'Next 100' }).click();
    await page.getByRole('alert').filter({ hasText: 'The service is away for a moment.' }).waitFor();
    expect(await rows().count()).toBe(100);
    await page.unroute('**/graphql');
    for (const [button, row] of [
      ['Try again', 100],
      ['Next 100', 200],
    ] as const) {
      await page.getByRole('button', { name: button }).press('Enter');
      await rows().nth(row).locator('a:focus').waitFor();
    }
    await rows()
      .nth(AGENTS - 1)
      .waitFor();
    expect(await page.getByRole('button', { name: /Next|again/ }).count()).toBe(0);
    expect(await rows().locator('.rank').allInnerTexts()).toEqual(large.byPlace.map(({ place }) => String(place)));
    expect(await rows().locator('th > a').allInnerTexts()).toEqual(
      large.byPlace.map(({ agentId }) => `Agent-${agentId}`),
    );
  });

  test('a rationale loads once it is opened', async () => {
    expect(await page.getByText('Why').count()).toBe(1);
    expect(await page.getByText(WHY).count()).toBe(0);
    await page.getByText('Why').click();
    await page.getByText(WHY).waitFor();
    expect(await visitor.faultsInAllLooks()).toEqual(FAULTLESS);
    await visitor.picture('round-large');
  });

  test('a round whose predictions are in an archive says so', async () => {
    await large.service.newEm().execute('update rounds set archived = true');
    await visitor.open(`/rounds/${ROUND}`);
    await page.getByText(`The ${AGENTS} answers are in an archive.`).waitFor();
  });
});
