import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { MINUTE } from '../../src/rules/hours.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { type Fact, openField, type PlayedField } from '../support/played-field.ts';
import { FAULTLESS, visit, type Visit } from '../support/visit.ts';

const AGENT = 2;

/** Minutes left, from the most on: where each part begins and what it is called. */
const PARTS = [
  [45, '45-60'],
  [30, '30-45'],
  [15, '15-30'],
  [5, '5-15'],
  [0, '0-5'],
] as const;

function partOf({ end, submittedAt }: Fact): string {
  const left = (end.getTime() - submittedAt.getTime()) / MINUTE;
  return PARTS.find(([from]) => left >= from)?.[1] ?? '';
}

(hasBrowser() ? describe : describe.skip)('page of an agent', () => {
  let field: PlayedField;
  let browser: Browser;
  let visitor: Visit;
  let page: Page;
  let facts: readonly Fact[];

  beforeAll(async () => {
    field = await openField({ agents: 3, minutes: [2, 17, 44, 53] });
    await field.play(26);
    facts = (await field.facts()).filter(({ agentId, score }) => agentId === AGENT && score !== null);
    browser = await openBrowser();
    visitor = await visit(browser, field.service.url);
    ({ page } = visitor);
    await visitor.open(`/agents/${AGENT}`);
    await visitor.whole();
  });
  afterAll(async () => {
    await browser.close();
    await field.service.stop();
  });

  test('the breakdown lists the missing fields when most of the map is empty', async () => {
    const panel = page.locator('section', { has: page.locator('#breakdown') });
    const shown = await panel.locator('.lacking li').allInnerTexts();
    const byType = Map.groupBy(facts, ({ questionType }) => questionType.replaceAll('_', ' '));
    const lacking = [...byType].flatMap(([type, own]) => {
      const parts = new Set(own.map(partOf));
      const missing = PARTS.map(([, name]) => name).filter((name) => !parts.has(name));
      return missing.length === 0 ? [] : [`${type} ${missing.join(', ')}`];
    });
    expect(shown.toSorted()).toEqual(lacking.toSorted());
    const filled = new Set(facts.map((fact) => `${fact.questionType} ${partOf(fact)}`)).size;
    await panel.getByText(`its ${byType.size * PARTS.length} fields; ${filled} have one`).waitFor();
    expect(await visitor.faultsInAllLooks()).toEqual(FAULTLESS);
    await visitor.picture('agent-lacking');
  });

  test('the breakdown is a map when half of it is filled, with a table of its figures', async () => {
    const panel = page.locator('section', { has: page.locator('#breakdown') });
    await panel.getByLabel('Asset and minutes left').check();
    await panel.locator('.heat').first().waitFor();
    const cells = new Set(facts.flatMap((fact) => fact.assets.map((asset) => `${asset} ${partOf(fact)}`)));
    expect(await panel.locator('.heat text').count()).toBe(cells.size);
    await panel.getByText('As a table').click();
    const figures = (await panel.locator('tbody td').allInnerTexts()).filter((text) => /^\d+ % of \d+$/.test(text));
    expect(figures).toHaveLength(cells.size);
    expect(await visitor.faultsInAllLooks()).toEqual(FAULTLESS);
  });

  test('the agent is compared with another by name, which the address keeps', async () => {
    const name = page.getByLabel('Another agent’s name');
    const compare = page.getByRole('button', { name: 'Compare' });
    const offered = await page.locator('#rivals option').allTextContents();
    expect(offered.toSorted()).toEqual(['Agent-1', 'Agent-3']);
    await name.fill('nobody-here');
    await compare.click();
    await page.getByRole('alert').filter({ hasText: 'There is no agent nobody-here.' }).waitFor();
    expect(await visitor.faults()).toEqual([]);
    await name.fill(' AGENT-3 ');
    await compare.click();
    await page.getByText(/^Agent-2 and Agent-3 share \d+ rounds\./).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(new URL(page.url()).search).toBe('?against=3');
    await page.getByRole('region', { name: 'Table: differences' }).waitFor();
    await page.reload();
    await page.getByText(/^Agent-2 and Agent-3 share \d+ rounds\./).waitFor();
  });

  test('the page has the HTML for embedding it', async () => {
    const { url } = field.service;
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const panel = page.locator('section', { has: page.locator('#share') });
    const badge = panel.getByRole('img');
    expect(await badge.getAttribute('alt')).toMatch(/^Agent-2 on Hourcast$/);
    await badge.scrollIntoViewIfNeeded();
    const drawn = `document.querySelector('[src="/badge/agent/${AGENT}.svg"]')`;
    expect(await page.evaluate(`${drawn}.decode().then(() => ${drawn}.naturalWidth)`)).toBeGreaterThan(0);
    const texts = await panel.locator('code').allInnerTexts();
    expect(texts[0]).toContain(`(${url}/badge/agent/${AGENT}.svg)](${url}/agents/${AGENT})`);
    await panel.getByRole('button', { name: 'Copy' }).nth(1).click();
    await panel.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(texts[1]);
    const preview = await page.request.get(url + ((await panel.getByRole('link').getAttribute('href')) ?? ''));
    expect([preview.status(), preview.headers()['content-type']]).toEqual([200, 'image/png']);
    expect(texts[1]).toContain(`src="${url}/embed/agent/${AGENT}"`);
    expect((await page.request.get(`${url}/embed/agent/${AGENT}`)).status()).toBe(200);
    expect(visitor.complaints).toEqual([]);
  });
});
